import { holdMinutes, seatStatusFor } from '#domain/testing/seat-status.ts'
import { givePlace, placeOf } from '#server/modules/testing/rooms/give-place.ts'
import { getOpenSession } from '#server/modules/testing/sessions/read-session.ts'
import { tellOfSession } from '#server/modules/testing/sessions/tell-of-session.ts'
import { findTestSession, isSessionFor, type SessionView } from '#server/modules/testing/sessions/test-sessions.ts'
import { offerFreedSeats } from '#server/modules/testing/waiting-list/offer-freed-seats.ts'
import { acceptOffer, stopWaiting } from '#server/modules/testing/waiting-list/waiting-places.ts'
import { publicStatus } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { lockCounters, lockRegistration, raiseCounter, releaseSeat, type Seat, seatOf } from './seats.ts'

type Options = {
  /** For staff at the door: booking may be closed, also in the session the person leaves. */
  atTheDoor?: boolean
}

/**
 * Gives a registration a seat in a session, and a place in a room once places are given. A full session rolls back the
 * release of the former seat. Repeating it for the same session keeps the seat: a held seat is booked after the
 * submission, and until then its hold starts again.
 */
export async function takeSeat(
  context: Context,
  registrationId: string,
  sessionId: string,
  { atTheDoor = false }: Options = {},
) {
  const { tx, actor, now } = context
  const { timeZone } = await getSettings(tx)
  const registration = await lockRegistration(tx, registrationId, now)
  const track = await tx
    .selectFrom('tracks')
    .select('hasTest')
    .where('id', '=', registration.trackId)
    .executeTakeFirstOrThrow()
  if (!track.hasTest) throw conflict('track_without_test')
  // The refusal must not reveal an unpublished decision.
  const visibleStatus = publicStatus(registration)
  const status = seatStatusFor(visibleStatus)
  if (!status) throw conflict('wrong_status', { status: visibleStatus })

  const current = await seatOf(tx, registrationId)
  await lockCounters(tx, [sessionId, ...(current ? [current.testSessionId] : [])])
  const session = await findTestSession(tx, sessionId, now, timeZone)
  if (!session || !(await isSessionFor(tx, sessionId, registration))) throw notFound('test session')
  if (current?.status === 'attended' || current?.status === 'absent') throw conflict('test_taken')
  if (current?.testSessionId === sessionId)
    return keep(context, { accountId: registration.accountId, seat: current, status, session })

  if (!atTheDoor) {
    if (session.state === 'not_yet') throw conflict('test_booking_not_open')
    if (session.state === 'closed') throw conflict('test_booking_closed')
    if (current) await refuseClosed(tx, current, now, timeZone)
  }
  if (current) await releaseSeat(context, current)
  // The waiting list comes first; the registration itself may be on it.
  await offerFreedSeats(context, sessionId)
  const accepted = await acceptOffer(tx, registrationId, sessionId, now)
  if (!accepted && !(await raiseCounter(tx, sessionId))) throw conflict('test_session_full')
  await stopWaiting(tx, registrationId, sessionId, now)

  const seat = await tx
    .insertInto('testSeats')
    .values({ registrationId, testSessionId: sessionId, createdAt: now, ...statusValues(status, now) })
    .returning(['id', 'testSessionId', 'registrationId', 'status', 'heldUntil', 'bookedAt'])
    .executeTakeFirstOrThrow()
  await givePlace(tx, sessionId, seat)
  await recordAudit(tx, actor, {
    action: 'test-seat.take',
    on: { registration: registrationId },
    before: current && { testSessionId: current.testSessionId, status: current.status },
    after: { testSessionId: sessionId, status },
  })
  if (status === 'booked')
    await tellOfSession(
      context,
      { accountId: registration.accountId, registrationId },
      { event: current?.status === 'booked' ? 'test-changed' : 'test-booked', session },
    )
  return { seat: seat as Seat, session }
}

const statusValues = (status: 'held' | 'booked', now: Date) =>
  status === 'held'
    ? { status, heldUntil: new Date(now.getTime() + holdMinutes * 60_000), bookedAt: null }
    : { status, heldUntil: null, bookedAt: now }

type KeptSeat = { accountId: string; seat: Seat; status: 'held' | 'booked'; session: SessionView }

/**
 * Books a held seat after the submission, or restarts the hold of a draft. A held seat counts against the capacity
 * until the job releases it, so it can be booked a little late.
 */
async function keep(context: Context, { accountId, seat, status, session }: KeptSeat) {
  const { tx, services, actor } = context
  const now = services.clock.now()
  if (seat.status === 'booked') return { seat, session }
  const extended = await tx
    .updateTable('testSeats')
    .set(statusValues(status, now))
    .where('id', '=', seat.id)
    .where('status', '=', 'held')
    .returning(['id', 'testSessionId', 'registrationId', 'status', 'heldUntil', 'bookedAt'])
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action: 'test-seat.take',
    on: { registration: seat.registrationId },
    before: { testSessionId: seat.testSessionId, status: seat.status },
    after: { testSessionId: seat.testSessionId, status },
  })
  if (status === 'booked')
    await tellOfSession(context, { accountId, registrationId: seat.registrationId }, { event: 'test-booked', session })
  return { seat: extended as Seat, session }
}

async function refuseClosed(tx: Tx, seat: Seat, now: Date, timeZone: string) {
  const session = await findTestSession(tx, seat.testSessionId, now, timeZone)
  if (session?.state === 'closed') throw conflict('test_booking_closed')
}

/** Seats the person with this registration code until the session is over; throws 422 for an unknown code. */
export async function admitWalkIn(context: Context, sessionId: string, code: string) {
  const { tx, actor, now } = context
  await getOpenSession(tx, sessionId, now)
  const registration = await tx
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['r.id', 'a.fullName as name'])
    .where('r.code', '=', code.toUpperCase())
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!registration) throw invalid({ code: 'not_found' })
  const { seat } = await takeSeat(context, registration.id, sessionId, { atTheDoor: true })
  const { room, place } = await placeOf(tx, seat.id)
  return { name: registration.name, room, seat: place }
}

/** Releases the seat of a registration while its session may still be changed. */
export async function giveSeatBack(context: Context, registrationId: string) {
  const { tx, actor, now } = context
  const { timeZone } = await getSettings(tx)
  await lockRegistration(tx, registrationId, now)
  const seat = await seatOf(tx, registrationId)
  if (!seat) throw notFound('test seat')
  if (seat.status !== 'held' && seat.status !== 'booked') throw conflict('test_taken')
  await refuseClosed(tx, seat, now, timeZone)
  await releaseSeat(context, seat)
  await recordAudit(tx, actor, {
    action: 'test-seat.release',
    on: { registration: registrationId },
    before: { testSessionId: seat.testSessionId, status: seat.status },
  })
}
