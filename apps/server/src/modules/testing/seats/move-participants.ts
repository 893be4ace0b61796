import type { Language } from '#entities/define/language.ts'
import { findTemplates, renderMessage } from '#server/modules/messaging/render-message.ts'
import { givePlace } from '#server/modules/testing/rooms/give-place.ts'
import { getOpenSession, type StaffSession } from '#server/modules/testing/sessions/read-session.ts'
import { sessionParams, tellOfSession } from '#server/modules/testing/sessions/tell-of-session.ts'
import { acceptOffer, stopWaiting } from '#server/modules/testing/waiting-list/waiting-places.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { getParticipants, isReleasable, lockParticipants, type Participant } from './participants.ts'
import { raiseCounter, releaseSeat } from './seats.ts'

type Move = { ids: readonly string[]; toId: string }

/** Why a participant cannot move to the session; null if possible. */
function refusalOf(person: Participant, target: StaffSession, now: Date) {
  if (!isReleasable(person)) return 'test_taken' as const
  const fits =
    target.active &&
    target.startsAt > now &&
    target.waveId === person.waveId &&
    (target.trackId === null || target.trackId === person.trackId)
  return fits ? null : ('test_target_unfit' as const)
}

/**
 * Who can move, the free seats in the target session, and the notice in the reader's language with a placeholder for
 * the name.
 */
export async function previewMove(
  { db, clock }: Services,
  actor: Actor,
  sessionId: string,
  { ids, toId }: Move,
  language: Language,
) {
  const now = clock.now()
  const target = await getOpenSession(db, toId, now)
  const people = await getParticipants(db, actor, sessionId, ids)
  const judged = people.map((person) => ({ id: person.id, name: person.name, reason: refusalOf(person, target, now) }))
  const allowed = judged.filter(({ reason }) => reason === null)
  return {
    allowed: allowed.map(({ id, name }) => ({ id, name })),
    refused: judged.flatMap(({ reason, ...person }) => (reason ? [{ ...person, reason }] : [])),
    free: Math.max(0, target.capacity - target.taken),
    notice: allowed[0] ? await noticeOf(db, target, allowed[0].name, language) : null,
  }
}

async function noticeOf(db: Db, session: StaffSession, name: string, language: Language) {
  const templates = await findTemplates(db, 'test-changed', language)
  return renderMessage(db, {
    event: 'test-changed',
    language,
    params: { name, ...sessionParams(session)(language) },
    template: templates.find(({ channel }) => channel === 'email'),
  })
}

/**
 * Moves participants to another session, all or none, under the locks of both counters in id order, and notifies those
 * with a booked seat. Throws 409 `test_session_full_for` if the target session has too few seats.
 */
export async function moveParticipants(context: Context, sessionId: string, { ids, toId }: Move): Promise<number> {
  const { tx, actor, now } = context
  if (toId === sessionId) throw conflict('test_target_unfit')
  const people = await lockParticipants(tx, actor, sessionId, ids, [sessionId, toId])
  const target = await getOpenSession(tx, toId, now)
  for (const person of people) {
    const refusal = refusalOf(person, target, now)
    if (refusal) throw conflict(refusal)
  }
  // The counter already includes a seat that is offered to someone on the waiting list.
  let offered = 0
  for (const { registrationId } of people) {
    if (await acceptOffer(tx, registrationId, toId, now)) offered++
    await stopWaiting(tx, registrationId, toId, now)
  }
  if (!(await raiseCounter(tx, toId, people.length - offered)))
    throw conflict('test_session_full_for', {
      people: people.length,
      free: Math.max(0, target.capacity - target.taken),
    })
  for (const person of people) {
    if (!(await releaseSeat(context, person))) throw conflict('preview_changed')
    const seat = await tx
      .insertInto('testSeats')
      .values({
        registrationId: person.registrationId,
        testSessionId: toId,
        status: person.status,
        heldUntil: person.heldUntil,
        bookedAt: person.bookedAt,
        createdAt: now,
      })
      .returning(['id', 'registrationId'])
      .executeTakeFirstOrThrow()
    await givePlace(tx, toId, seat)
    if (person.status === 'booked') await tellOfSession(context, person, { event: 'test-changed', session: target })
  }
  await recordAudits(
    tx,
    actor,
    people.map(({ registrationId, status }) => ({
      action: 'test-seat.move',
      on: { registration: registrationId },
      before: { testSessionId: sessionId, status },
      after: { testSessionId: toId, status },
    })),
  )
  return people.length
}
