import { seatTransitions } from '#domain/testing/seat-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { lockCounters, lockRegistrations } from './seats.ts'

/** Seats of a session by id that are not released, with their holders; 404 if the actor does not see all of them. */
export async function getParticipants(db: Db, actor: Actor, sessionId: string, ids: readonly string[]) {
  const found = await db
    .selectFrom('testSeats as p')
    .innerJoin('registrations as r', 'r.id', 'p.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['p.id', 'p.testSessionId', 'p.registrationId', 'p.status', 'p.heldUntil', 'p.bookedAt'])
    .select(['r.accountId', 'r.waveId', 'r.trackId', 'a.fullName as name'])
    .where('p.id', 'in', ids)
    .where('p.testSessionId', '=', sessionId)
    .where('p.status', '<>', 'released')
    .where(visibleTo(actor))
    .orderBy('p.id')
    .execute()
  if (found.length < new Set(ids).size) throw notFound('test seat')
  return found
}
export type Participant = Awaited<ReturnType<typeof getParticipants>>[number]

/** Whether the seat was not used yet. */
export const isReleasable = ({ status }: Pick<Participant, 'status'>) =>
  (seatTransitions.release.from as readonly string[]).includes(status)

/** Locks the registrations, then the counters of the sessions, and reads the seats again. */
export async function lockParticipants(
  tx: Tx,
  actor: Actor,
  sessionId: string,
  ids: readonly string[],
  sessionIds: readonly string[],
) {
  const people = await getParticipants(tx, actor, sessionId, ids)
  await lockRegistrations(
    tx,
    people.map(({ registrationId }) => registrationId),
  )
  await lockCounters(tx, sessionIds)
  return getParticipants(tx, actor, sessionId, ids)
}
