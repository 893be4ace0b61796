import type { Db } from '#server/platform/database/database.ts'

/** Locks a registration before its requests, bills, seats and places, the order of every transaction. */
export const lockRegistration = (tx: Db, id: string) =>
  tx.selectFrom('registrations').select('id').where('id', '=', id).forNoKeyUpdate().execute()
