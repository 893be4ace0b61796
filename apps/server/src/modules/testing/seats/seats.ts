import { sql } from 'kysely'
import { type SeatStatus, seatTransitions } from '#domain/testing/seat-status.ts'
import { offerFreedSeats } from '#server/modules/testing/waiting-list/offer-freed-seats.ts'
import { publicDecision } from '#server/platform/access/decision-scope.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'

export type Seat = {
  id: string
  testSessionId: string
  registrationId: string
  status: SeatStatus
  heldUntil: Date | null
  bookedAt: Date | null
}

/** Seats of registrations that are not released; each registration has at most one. */
export const seatsOf = (db: Db, registrationIds: readonly string[]): Promise<Seat[]> =>
  db
    .selectFrom('testSeats')
    .select(['id', 'testSessionId', 'registrationId', 'status', 'heldUntil', 'bookedAt'])
    .where('registrationId', 'in', registrationIds)
    .where('status', '<>', 'released')
    .execute() as Promise<Seat[]>

export const seatOf = async (db: Db, registrationId: string): Promise<Seat | undefined> =>
  (await seatsOf(db, [registrationId]))[0]

/**
 * Locks a registration before its seats change. The counters follow in id order, then the seats. Every transaction uses
 * this order, so none deadlock.
 */
export const lockRegistration = (tx: Tx, registrationId: string, now: Date) =>
  tx
    .selectFrom('registrations as r')
    .select(['r.id', 'r.accountId', 'r.waveId', 'r.trackId', 'r.status', 'r.verifiedAt'])
    .select(publicDecision(now).as('publicDecision'))
    .where('r.id', '=', registrationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Locks registrations in id order, before the counters of their seats. */
export const lockRegistrations = (tx: Tx, ids: readonly string[]) =>
  tx.selectFrom('registrations').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()

/**
 * Locks the counters of the sessions in id order. A session is cancelled or moved under the lock of its counter, so
 * code that gives a seat in it must read the session after this lock.
 */
export const lockCounters = (tx: Tx, sessionIds: readonly string[]) =>
  tx
    .selectFrom('testSessionSeats')
    .select(['testSessionId', 'taken', 'capacity'])
    .where('testSessionId', 'in', sessionIds)
    .orderBy('testSessionId')
    .forUpdate()
    .execute()

/**
 * Takes seats in one statement if enough are left; of parallel requests for the last seat, one succeeds. The counter's
 * row already exists, except in a trial.
 */
export async function raiseCounter(tx: Tx, sessionId: string, count = 1): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO test_session_seats (test_session_id, taken, capacity)
    SELECT id, ${count}, capacity FROM test_sessions WHERE id = ${sessionId} AND capacity >= ${count}
    ON CONFLICT (test_session_id) DO UPDATE SET taken = test_session_seats.taken + ${count}
      WHERE test_session_seats.taken + ${count} <= test_session_seats.capacity
    RETURNING taken`.execute(tx)
  return rows.length === 1
}

/**
 * Releases a seat, lowers the counter of its session and offers the seat to the waiting list; false if the seat was
 * released or used meanwhile. Every release uses this function, except that of a registration that ends.
 */
export async function releaseSeat(
  context: Omit<Context, 'actor'>,
  seat: { id: string; testSessionId: string },
  { from = seatTransitions.release.from, reason }: { from?: readonly SeatStatus[]; reason?: string } = {},
) {
  const { tx, services } = context
  const now = services.clock.now()
  await lockCounters(tx, [seat.testSessionId])
  const released = await tx
    .updateTable('testSeats')
    .set({ status: 'released', releasedAt: now, arrivedAt: null, leftAt: null, excusedReason: reason ?? null })
    .where('id', '=', seat.id)
    .where('status', 'in', from)
    .returning('extra')
    .executeTakeFirst()
  if (!released) return false
  if (!released.extra) await lowerCounter(tx, seat.testSessionId)
  await offerFreedSeats({ ...context, now }, seat.testSessionId)
  return true
}

export const lowerCounter = (tx: Tx, sessionId: string) =>
  tx
    .updateTable('testSessionSeats')
    .set((eb) => ({ taken: eb('taken', '-', 1) }))
    .where('testSessionId', '=', sessionId)
    .execute()
