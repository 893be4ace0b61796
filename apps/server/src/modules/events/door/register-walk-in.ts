import type { z } from 'zod'
import { type recordCheckIns, walkInProblems } from '#domain/events/check-in-endpoints.ts'
import { parsePhone } from '#entities/define/phone.ts'
import type { EventReader } from '#server/modules/events/event-scope.ts'
import { takePlace } from '#server/modules/events/visitors/places.ts'
import { addVisitor, consentText } from '#server/modules/events/visitors/register-visitor.ts'
import { nameKeyOf } from '#server/modules/leads/person-key.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'

type WalkIn = NonNullable<z.output<typeof recordCheckIns.body>['scans'][number]['walkIn']>
type EventDoor = { reader: EventReader; event: { id: string; schoolId: string | null }; sessionId: string }

/** Registers a walk-in and returns the visitor; a person registered before is that visitor. */
export async function registerWalkIn(
  { tx, actor, now }: Omit<Context, 'services'>,
  { event, sessionId, reader }: EventDoor,
  walkIn: WalkIn,
): Promise<string> {
  const problems = Object.entries(walkInProblems(walkIn)).flatMap(([field, problem]) =>
    problem ? [[field, problem] as const] : [],
  )
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
  const known = await tx
    .selectFrom('eventVisitors')
    .select(['id', 'eventId'])
    .where('id', '=', walkIn.id)
    .executeTakeFirst()
  if (known) {
    if (known.eventId !== event.id) throw conflict('event_visitor_of_other')
    return known.id
  }
  const phone = walkIn.phone ? parsePhone(walkIn.phone) : null
  const added = await addVisitor(tx, {
    id: walkIn.id,
    event,
    sessionId,
    name: walkIn.name,
    phone,
    email: null,
    school: walkIn.school,
    grade: walkIn.grade,
    wish: '',
    language: walkIn.language,
    consentText: walkIn.consent ? await consentText(tx, walkIn.language) : null,
    affiliateId: reader.mayUpdate ? null : reader.affiliateId,
    now,
    walkIn: true,
  })
  if (!added) {
    const same = await tx
      .selectFrom('eventVisitors')
      .select('id')
      .where('eventId', '=', event.id)
      .where((eb) =>
        eb.or([
          eb('id', '=', walkIn.id),
          eb.and([eb('phone', '=', phone), eb('nameKey', '=', nameKeyOf(walkIn.name)), eb('state', '<>', 'cancelled')]),
        ]),
      )
      .executeTakeFirst()
    if (!same) throw conflict('event_visitor_of_other')
    return same.id
  }
  const extra = !(await takePlace(tx, sessionId))
  await tx.updateTable('eventVisitors').set({ state: 'registered', extra }).where('id', '=', walkIn.id).execute()
  await recordAudit(tx, actor, { action: 'event.walk-in', on: { event: event.id }, after: { extra } })
  return added.id
}
