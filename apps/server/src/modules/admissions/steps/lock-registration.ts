import type { Db } from '#server/platform/database/database.ts'

/**
 * Locks a registration and returns its wave. Every transaction takes this lock before those of requests, bills, seats
 * and places.
 */
export const lockRegistration = (tx: Db, id: string) =>
  tx.selectFrom('registrations').select('waveId').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
