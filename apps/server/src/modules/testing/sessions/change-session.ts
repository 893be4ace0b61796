import type { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import type { moveSession as moveSessionCall } from '#domain/testing/sessions/endpoints.ts'
import { roomsOf } from '#server/modules/testing/rooms/give-place.ts'
import { lockRooms, refuseRoomsInUse } from '#server/modules/testing/rooms/rooms-in-use.ts'
import { getParticipants, isReleasable } from '#server/modules/testing/seats/participants.ts'
import { releaseAndTell } from '#server/modules/testing/seats/release-participants.ts'
import { lockCounters, lockRegistrations } from '#server/modules/testing/seats/seats.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { getOpenSession, lockSession } from './read-session.ts'
import { tellOfSession } from './tell-of-session.ts'

const heldSeats = (tx: Tx, sessionId: string) =>
  tx
    .selectFrom('testSeats')
    .select(['id', 'registrationId'])
    .where('testSessionId', '=', sessionId)
    .where('status', 'in', ['held', 'booked'])
    .execute()

/** Locks everyone with a seat in the session, then its counter, and reads who has a seat now. */
async function lockEverybody(tx: Tx, actor: Actor, sessionId: string) {
  const seats = await heldSeats(tx, sessionId)
  if (seats.length > 0)
    await lockRegistrations(
      tx,
      seats.map(({ registrationId }) => registrationId),
    )
  await lockCounters(tx, [sessionId])
  const ids = (await heldSeats(tx, sessionId)).map(({ id }) => id)
  return ids.length > 0 ? getParticipants(tx, actor, sessionId, ids) : []
}

type Move = z.output<(typeof moveSessionCall)['body']>

/**
 * Moves a session to another time or place. Each participant with a booked seat gets one notice and either keeps the
 * seat or loses it and chooses again. Booking closes earlier or later by the same amount as the start. The version lets
 * only one of two changes through. Throws 409 if another session uses one of its rooms at the new time.
 */
export async function moveSession(
  context: Context,
  id: string,
  { version, date, startTime, endTime, location, seats, reason }: Move,
): Promise<number> {
  const { tx, actor, now } = context
  await lockRooms(tx)
  const session = await getOpenSession(tx, id, now)
  const startsAt = universityCalendar().momentOf(`${date} ${startTime}:00`)
  if (startsAt <= now) throw invalid({ date: 'test_day_past' })
  const people = await lockEverybody(tx, actor, id)
  await lockSession(context, id, version)
  await refuseRoomsInUse(tx, { id, date, startTime, endTime }, await roomsOf(tx, id))
  const laterMs = startsAt.getTime() - session.startsAt.getTime()
  const closesAt = session.bookingClosesAt && new Date(session.bookingClosesAt.getTime() + laterMs)
  const opensAt = session.bookingOpensAt
  await tx
    .updateTable('testSessions')
    .set({
      date,
      startTime,
      endTime,
      location,
      peopleToldAt: now,
      bookingClosesAt: closesAt,
      bookingOpensAt: opensAt && closesAt && opensAt >= closesAt ? null : opensAt,
    })
    .where('id', '=', id)
    .execute()
  const toldPeople = people.filter(({ status }) => status === 'booked')
  if (seats === 'release') await releaseAndTell(context, session, people.filter(isReleasable), reason)
  else
    for (const person of toldPeople)
      await tellOfSession(context, person, {
        event: 'test-moved',
        session: { name: session.name, date, startTime, location },
        reason,
      })
  await tx
    .deleteFrom('testSeatReminders')
    .where('testSeatId', 'in', (seatsOfSession) =>
      seatsOfSession.selectFrom('testSeats').select('id').where('testSessionId', '=', id),
    )
    .execute()
  const timeOf = (at: Pick<Move, 'date' | 'startTime' | 'endTime' | 'location'>) => ({
    date: at.date,
    startTime: at.startTime,
    endTime: at.endTime,
    location: at.location,
  })
  await recordAudit(tx, actor, {
    action: 'test-session.move',
    on: { 'jadwal-test': id },
    before: timeOf(session),
    after: { ...timeOf({ date, startTime, endTime, location }), seats },
    reason,
  })
  return toldPeople.length
}

/**
 * Cancels a session: it can no longer be booked, and all participants are released with one notice each. Returns the
 * number of notices.
 */
export async function cancelSession(
  context: Context,
  id: string,
  { version, reason }: { version: number; reason: string },
): Promise<number> {
  const { tx, actor, now } = context
  const session = await getOpenSession(tx, id, now)
  const people = await lockEverybody(tx, actor, id)
  await lockSession(context, id, version)
  await tx
    .updateTable('testSessions')
    .set({ active: false, cancelledAt: now, cancelReason: reason })
    .where('id', '=', id)
    .execute()
  await releaseAndTell(context, session, people, reason)
  await recordAudit(tx, actor, { action: 'test-session.cancel', on: { 'jadwal-test': id }, reason })
  return people.filter(({ status }) => status === 'booked').length
}
