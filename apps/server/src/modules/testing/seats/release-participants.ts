import { getSession, type StaffSession } from '#server/modules/testing/sessions/read-session.ts'
import { tellOfSession } from '#server/modules/testing/sessions/tell-of-session.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { isReleasable, lockParticipants, type Participant } from './participants.ts'
import { releaseSeat } from './seats.ts'

type Release = { ids: readonly string[]; reason: string }

/** Releases seats of a session, all or none, and notifies those with a booked seat; 409 if a seat was already used. */
export async function releaseParticipants(
  tx: Tx,
  services: Services,
  actor: Actor,
  sessionId: string,
  { ids, reason }: Release,
): Promise<number> {
  const session = await getSession(tx, sessionId, services.clock.now())
  const people = await lockParticipants(tx, actor, sessionId, ids, [sessionId])
  if (!people.every(isReleasable)) throw conflict('test_taken')
  return (await releaseAndTell(tx, services, actor, session, people, reason)).length
}

/** Releases the seats that were not used yet; returns the people notified. The caller holds the lock of the counter. */
export async function releaseAndTell(
  tx: Tx,
  services: Services,
  actor: Actor,
  session: StaffSession,
  people: readonly Participant[],
  reason: string,
): Promise<Participant[]> {
  const released: Participant[] = []
  for (const person of people) {
    if (!(await releaseSeat(tx, services, person))) continue
    released.push(person)
    if (person.status === 'booked') await tellOfSession(tx, services, person, 'test-released', session, reason)
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
