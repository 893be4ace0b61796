import { placeOf } from '#server/modules/testing/rooms/give-place.ts'
import { getOpenSession } from '#server/modules/testing/sessions/read-session.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { takeSeat } from './take-seat.ts'

/** Seats the person with this registration code until the session is over; throws 422 for an unknown code. */
export async function admitWalkIn(tx: Tx, services: Services, actor: Actor, sessionId: string, code: string) {
  await getOpenSession(tx, sessionId, services.clock.now())
  const registration = await tx
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['r.id', 'a.fullName as name'])
    .where('r.code', '=', code.toUpperCase())
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!registration) throw invalid({ code: 'not_found' })
  const { seat } = await takeSeat(tx, services, actor, registration.id, sessionId, { atTheDoor: true })
  const { room, place } = await placeOf(tx, seat.id)
  return { name: registration.name, room, seat: place }
}
