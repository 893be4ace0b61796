import { type RawBuilder, sql } from 'kysely'
import { type RegistrationQueue, reviewedStatuses } from '#domain/admissions/registration-status.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished, statusIn } from '#server/platform/access/decision-scope.ts'

const dayMs = 86_400_000
/** Days after closing during which a wave stays on the dashboard. */
const currentForDays = 180

/** SQL condition on `registrations r` for a queue. Dashboard counts and list filter share it, so both agree. */
export function queueCondition(queue: RegistrationQueue, actor: Actor, now: Date): RawBuilder<boolean> {
  const currentWaves = sql`waves WHERE active AND closes_at > ${new Date(now.getTime() - currentForDays * dayMs)}`
  const current = sql<boolean>`r.wave_id IN (SELECT id FROM ${currentWaves})`
  switch (queue) {
    case 'documents':
      return sql`(r.documents_state = 'to_review' AND ${statusIn(actor, now, reviewedStatuses)} AND ${current})`
    case 'decision':
      return sql`(${statusIn(actor, now, ['verified'])} AND ${current})`
    case 'confirmation':
      return sql`(r.status = 'decided' AND r.decision = 'accepted' AND ${current} AND ${isPublished(now)})`
    case 'today':
      return sql`r.created_at >= ${universityCalendar().startOfDay(universityCalendar().dayOf(now))}`
    case 'current':
      // The first registration of these waves ends a walk from the end of the list before those of earlier waves.
      return sql`(${current} AND r.created_at >= (SELECT min(k.created_at) FROM (SELECT id FROM ${currentWaves}) c
        CROSS JOIN LATERAL (SELECT created_at FROM registrations WHERE wave_id = c.id ORDER BY created_at, id LIMIT 1) k))`
  }
}
