import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { seatStatusFor } from '#domain/testing/seat-status.ts'
import { lockCounters, lockRegistration, lowerCounter, seatOf } from '#server/modules/testing/seats/seats.ts'
import { findTestSession, getTestSession, isSessionFor } from '#server/modules/testing/sessions/test-sessions.ts'
import { publicStatus } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { offerEnd } from './offer-end.ts'
import { offerFreedSeats } from './offer-freed-seats.ts'

type Place = {
  id: string
  testSessionId: string
  registrationId: string
  status: 'waiting' | 'offered'
  offeredUntil: Date | null
}

/** The open place on a waiting list; a registration has at most one. */
export const waitingPlaceOf = (db: Db, registrationId: string): Promise<Place | undefined> =>
  db
    .selectFrom('testWaitingPlaces')
    .select(['id', 'testSessionId', 'registrationId', 'status', 'offeredUntil'])
    .where('registrationId', '=', registrationId)
    .where('status', 'in', ['waiting', 'offered'])
    .executeTakeFirst() as Promise<Place | undefined>

/** The place as the applicant sees it, with the session and the position in the queue. */
export async function readWaitingPlace(db: Db, registrationId: string, now: Date, timeZone: string) {
  const place = await waitingPlaceOf(db, registrationId)
  const session = place && (await findTestSession(db, place.testSessionId, now, timeZone))
  if (!session) return null
  const { rows } = await sql<{ position: number }>`
    SELECT count(*)::int AS position FROM test_waiting_places
    WHERE test_session_id = ${place.testSessionId} AND status IN ('waiting', 'offered')
      AND number <= (SELECT number FROM test_waiting_places WHERE id = ${place.id})`.execute(db)
  const { status, offeredUntil } = place
  // Only applicants with a seat see the link of an online session.
  const location = session.mode === 'onsite' ? session.location : null
  return { status, offeredUntil, position: theOnly(rows).position, session: { ...session, location } }
}

/** Joins the waiting list of a full session. Repeating it changes nothing; a place on another list is given up. */
export async function joinWaitingList(context: Context, registrationId: string, sessionId: string) {
  const { tx, actor, now } = context
  const settings = await getSettings(tx)
  const registration = await lockRegistration(tx, registrationId, now)
  const status = publicStatus(registration)
  if (status === 'draft') throw conflict('test_waiting_submit_first')
  if (seatStatusFor(status) !== 'booked') throw conflict('wrong_status', { status })
  const seat = await seatOf(tx, registrationId)
  if (seat?.status === 'attended' || seat?.status === 'absent') throw conflict('test_taken')
  const current = await waitingPlaceOf(tx, registrationId)
  if (current?.testSessionId === sessionId) return
  if (seat?.testSessionId === sessionId) throw conflict('test_session_not_full')

  // In a trial a session has no counter yet, so there would be nothing to lock.
  await sql`INSERT INTO test_session_seats (test_session_id, taken, capacity)
    SELECT id, 0, capacity FROM test_sessions WHERE id = ${sessionId} ON CONFLICT DO NOTHING`.execute(tx)
  await lockCounters(tx, [sessionId, ...(current ? [current.testSessionId] : [])])
  if (!(await isSessionFor(tx, sessionId, registration))) throw notFound('test session')
  if (current) await endPlace(context, current.id, 'left')
  // Free seats go to people already on the list.
  await offerFreedSeats(context, sessionId)
  const session = await getTestSession(tx, sessionId, now, settings.timeZone)
  if (session.state === 'not_yet') throw conflict('test_booking_not_open')
  if (session.state === 'open') throw conflict('test_session_not_full')
  if (session.state === 'closed' || !offerEnd({ now, ...session, feeDueAt: null }, settings))
    throw conflict('test_waiting_closed')
  await tx
    .insertInto('testWaitingPlaces')
    .values({ testSessionId: sessionId, registrationId, status: 'waiting', joinedAt: now })
    .execute()
  await recordAudit(tx, actor, {
    action: 'test-waiting.join',
    on: { registration: registrationId },
    after: { testSessionId: sessionId },
  })
}

/** Leaves the waiting list; an offered seat goes to the next in the queue. */
export async function leaveWaitingList(context: Context, registrationId: string) {
  const { tx, now } = context
  await lockRegistration(tx, registrationId, now)
  const place = await waitingPlaceOf(tx, registrationId)
  if (!place) throw notFound('waiting place')
  await endPlace(context, place.id, place.status === 'offered' ? 'declined' : 'left')
}

type End = 'declined' | 'left' | 'expired' | 'closed'

/**
 * Ends a place under the lock of its session's counter, and passes a seat offered to it on to the next in the queue.
 * False if the place has already ended.
 */
export async function endPlace(context: Context, placeId: string, end: End): Promise<boolean> {
  const { tx, actor, now } = context
  const { testSessionId } = await tx
    .selectFrom('testWaitingPlaces')
    .select('testSessionId')
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
  await lockCounters(tx, [testSessionId])
  const place = await tx
    .selectFrom('testWaitingPlaces')
    .select(['id', 'registrationId', 'status'])
    .where('id', '=', placeId)
    .where('status', 'in', ['waiting', 'offered'])
    .forUpdate()
    .executeTakeFirst()
  if (!place) return false
  await tx.updateTable('testWaitingPlaces').set({ status: end, endedAt: now }).where('id', '=', placeId).execute()
  await recordAudit(tx, actor, {
    action: `test-waiting.${end}`,
    on: { registration: place.registrationId },
    before: { testSessionId, status: place.status },
  })
  if (place.status === 'offered') {
    await lowerCounter(tx, testSessionId)
    await offerFreedSeats(context, testSessionId)
  }
  return true
}

/**
 * Accepts the seat offered to a registration in a session; true if there was an offer, which the counter already
 * includes. An offer is valid until the job ends it, so it can be accepted a little late.
 */
export const acceptOffer = (tx: Tx, registrationId: string, sessionId: string, now: Date) =>
  closeAs(tx, registrationId, sessionId, 'offered', now)

/** Ends the waiting of a registration that got a seat in the session in another way. */
export const stopWaiting = (tx: Tx, registrationId: string, sessionId: string, now: Date) =>
  closeAs(tx, registrationId, sessionId, 'waiting', now)

const closeAs = async (
  tx: Tx,
  registrationId: string,
  sessionId: string,
  from: 'offered' | 'waiting',
  now: Date,
): Promise<boolean> =>
  (await tx
    .updateTable('testWaitingPlaces')
    .set({ status: 'accepted', endedAt: now })
    .where('registrationId', '=', registrationId)
    .where('testSessionId', '=', sessionId)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()) !== undefined
