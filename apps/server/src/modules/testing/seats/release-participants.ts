import { getSession, type StaffSession } from '#server/modules/testing/sessions/read-session.ts'
import { tellOfSession } from '#server/modules/testing/sessions/tell-of-session.ts'
import { recordAudits } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { isReleasable, lockParticipants, type Participant } from './participants.ts'
import { releaseSeat } from './seats.ts'

type Release = { ids: readonly string[]; reason: string }

/** Releases seats of a session, all or none, and notifies those with a booked seat; 409 if a seat was already used. */
export async function releaseParticipants(
  context: Context,
  sessionId: string,
  { ids, reason }: Release,
): Promise<number> {
  const { tx, actor, now } = context
  const session = await getSession(tx, sessionId, now)
  const people = await lockParticipants(tx, actor, sessionId, ids, [sessionId])
  if (!people.every(isReleasable)) throw conflict('test_taken')
  return (await releaseAndTell(context, session, people, reason)).length
}

/** Releases the seats that were not used yet; returns the people notified. The caller holds the lock of the counter. */
export async function releaseAndTell(
  context: Context,
  session: StaffSession,
  people: readonly Participant[],
  reason: string,
): Promise<Participant[]> {
  const { tx, actor } = context
  const released: Participant[] = []
  for (const person of people) {
    if (!(await releaseSeat(context, person))) continue
    released.push(person)
    if (person.status === 'booked') await tellOfSession(context, person, { event: 'test-released', session, reason })
  }
  await recordAudits(
    tx,
    actor,
    released.map(({ registrationId, testSessionId, status }) => ({
      action: 'test-seat.release',
      on: { registration: registrationId },
      before: { testSessionId, status },
      reason,
    })),
  )
  return released
}
