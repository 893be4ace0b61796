import { sql } from 'kysely'
import type { SeatStatus } from '#domain/testing/seat-status.ts'
import { isPublished } from '#server/modules/admissions/registrations/visible-registrations.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

export type Seat = {
  id: string
  testSessionId: string
  registrationId: string
  status: SeatStatus
  heldUntil: Date | null
  bookedAt: Date | null
}

/** The seat a registration has now, if any. */
export const seatOf = (db: Db, registrationId: string): Promise<Seat | undefined> =>
  db
    .selectFrom('testSeats')
    .select(['id', 'testSessionId', 'registrationId', 'status', 'heldUntil', 'bookedAt'])
    .where('registrationId', '=', registrationId)
    .where('status', '<>', 'released')
    .executeTakeFirst() as Promise<Seat | undefined>

/**
 * Whoever changes the seats of a registration holds its row first, then counters in the order of their ids, then the
 * seats themselves. Always this order: it is why two of them never wait for each other.
 */
export const lockRegistration = (tx: Tx, registrationId: string, now: Date) =>
  tx
    .selectFrom('registrations as r')
    .select(['r.id', 'r.accountId', 'r.waveId', 'r.trackId', 'r.status', 'r.decision'])
    .select(isPublished(now).as('published'))
    .where('r.id', '=', registrationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Locks the counters a move needs. */
export const lockCounters = (tx: Tx, sessionIds: string[]) =>
  tx
    .selectFrom('testSessionSeats')
    .select('testSessionId')
    .where('testSessionId', 'in', sessionIds)
    .orderBy('testSessionId')
    .forUpdate()
    .execute()

/** One statement takes a seat while there is one: of those who race for the last, PostgreSQL lets one through. */
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
