import type { Db } from '#server/platform/database/database.ts'

/** Locks a registration before its requests, bills, seats and places, the order of every transaction; returns its wave. */
export const lockRegistration = (tx: Db, id: string) =>
  tx.selectFrom('registrations').select('waveId').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
