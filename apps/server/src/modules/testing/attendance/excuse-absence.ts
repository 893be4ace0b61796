import { seatStatusFor, seatTransitions } from '#domain/testing/seat-status.ts'
import { givePlace } from '#server/modules/testing/rooms/give-place.ts'
import {
  lockCounters,
  lockRegistration,
  raiseCounter,
  releaseSeat,
  seatOf,
} from '#server/modules/testing/seats/seats.ts'
import { tellOfSession } from '#server/modules/testing/sessions/tell-of-session.ts'
import { findTestSession, isSessionFor } from '#server/modules/testing/sessions/test-sessions.ts'
import { offerFreedSeats } from '#server/modules/testing/waiting-list/offer-freed-seats.ts'
import { acceptOffer, stopWaiting } from '#server/modules/testing/waiting-list/waiting-places.ts'
import { publicStatus } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'

/**
 * Excuses an absence: releases the seat with the reason and books one in another session that has not begun, whether or
 * not its booking is open. Throws 409 if the seat is not absent, or the session has begun or is full.
 */
export async function excuseAbsence(
  context: Context,
  { id, registrationId }: { id: string; registrationId: string },
  { testSessionId, reason }: { testSessionId: string; reason: string },
) {
  const { tx, actor, now } = context
  const { timeZone } = await getSettings(tx)
  const registration = await lockRegistration(tx, registrationId, now)
  const seat = await seatOf(tx, registrationId)
  if (seat?.id !== id || seat.status !== 'absent') throw conflict('test_not_absent')
  const status = publicStatus(registration)
  if (seatStatusFor(status) !== 'booked') throw conflict('wrong_status', { status })
  await lockCounters(tx, [testSessionId, seat.testSessionId])
  const session = await findTestSession(tx, testSessionId, now, timeZone)
  if (!session || testSessionId === seat.testSessionId || !(await isSessionFor(tx, testSessionId, registration)))
    throw notFound('test session')
  if (session.startsAt <= now) throw conflict('test_booking_closed')

  await releaseSeat(context, seat, { from: seatTransitions.excuse.from, reason })
  await offerFreedSeats(context, testSessionId)
  if (!(await acceptOffer(tx, registrationId, testSessionId, now)) && !(await raiseCounter(tx, testSessionId)))
    throw conflict('test_session_full')
  await stopWaiting(tx, registrationId, testSessionId, now)
  const { id: seatId } = await tx
    .insertInto('testSeats')
    .values({ registrationId, testSessionId, status: 'booked', bookedAt: now, createdAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await givePlace(tx, testSessionId, { id: seatId, registrationId })
  await recordAudit(tx, actor, {
    action: 'test-seat.excuse',
    on: { registration: registrationId },
    before: { testSessionId: seat.testSessionId },
    after: { testSessionId, reason },
  })
  await tellOfSession(
    context,
    { accountId: registration.accountId, registrationId },
    { event: 'test-changed', session },
  )
  return { seatId }
}
