import { sql } from 'kysely'
import type { SeatStatus } from '#domain/testing/seat-status.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type Seat = {
  id: string
  testSessionId: string
  registrationId: string
  status: SeatStatus
  heldUntil: Date | null
  bookedAt: Date | null
}

/** The seat of a registration that is not released. */
export const seatOf = (db: Db, registrationId: string): Promise<Seat | undefined> =>
  db
    .selectFrom('testSeats')
    .select(['id', 'testSessionId', 'registrationId', 'status', 'heldUntil', 'bookedAt'])
    .where('registrationId', '=', registrationId)
    .where('status', '<>', 'released')
    .executeTakeFirst() as Promise<Seat | undefined>

/**
 * Locks a registration before a change of its seats; counters follow in the order of their ids, then seats. Every
 * transaction uses this order, so none deadlock.
 */
export const lockRegistration = (tx: Tx, registrationId: string, now: Date) =>
  tx
    .selectFrom('registrations as r')
    .select(['r.id', 'r.accountId', 'r.waveId', 'r.trackId', 'r.status', 'r.verifiedAt'])
    .select(isPublished(now).as('published'))
    .where('r.id', '=', registrationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Locks the counters of the sessions, in the order of their ids. */
export const lockCounters = (tx: Tx, sessionIds: string[]) =>
  tx
    .selectFrom('testSessionSeats')
    .select('testSessionId')
    .where('testSessionId', 'in', sessionIds)
    .orderBy('testSessionId')
    .forUpdate()
    .execute()

/** Takes a seat in one statement while there is one: of parallel requests for the last, one succeeds. */
export async function raiseCounter(tx: Tx, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO test_session_seats (test_session_id, taken)
    SELECT id, 1 FROM test_sessions WHERE id = ${sessionId} AND capacity > 0
    ON CONFLICT (test_session_id) DO UPDATE SET taken = test_session_seats.taken + 1
      WHERE test_session_seats.taken < (SELECT capacity FROM test_sessions WHERE id = ${sessionId})
    RETURNING taken`.execute(tx)
  return rows.length === 1
}

export const lowerCounter = (tx: Tx, sessionId: string) =>
  tx
    .updateTable('testSessionSeats')
    .set((eb) => ({ taken: eb('taken', '-', 1) }))
    .where('testSessionId', '=', sessionId)
    .execute()
