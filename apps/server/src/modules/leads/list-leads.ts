import { type RawBuilder, sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { listLeads } from '#domain/leads/lists.ts'
import { serveList, sourceFor } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { likePattern } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type CheckTime, checkCondition, hasDuplicate, maybeApplicant, queueCondition } from './lead-conditions.ts'
import { nameKeyOf } from './person-key.ts'

/** Names for everybody; phones only for readers who see them whole. */
function searched(actor: Actor, q: string): RawBuilder<boolean> {
  const name = sql<boolean>`l.name_key LIKE ${likePattern(nameKeyOf(q) || q)}`
  const phones = actor.permissions.has('marketing-prospek-update') ? phonePartsOf(q) : []
  return phones.length > 0
    ? sql<boolean>`(${name} OR l.phone LIKE ANY(${phones.map((part) => `%${part}%`)}::text[]))`
    : name
}

const hasOrigin = (condition: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT FROM lead_origins g WHERE g.lead_id = l.id AND ${condition})`

const isId = (text: string) => /^[0-9a-f-]{36}$/i.test(text)

async function checkTimeOf({ db }: Services, now: Date): Promise<CheckTime> {
  const { keepLeadsMonths: keepMonths } = await getSettings(db)
  return { today: universityCalendar().dayOf(now), now, keepMonths }
}

/** The list of leads, for its page and for those who are written to. */
export const leadSource = (services: Services) =>
  sourceFor(listLeads, {
    from: async () => {
      // Days of filters are those of the time zone in the settings.
      await getSettings(services.db)
      return services.db.selectFrom('leads as l').where('l.mergedInto', 'is', null)
    },
    scope: ofWholeView('settings_need_whole_view'),
    filters: {
      q: (q, { actor }) => searched(actor, q),
      queue: (queue, { actor, now }) => queueCondition(queue, actor.accountId, universityCalendar().dayOf(now)),
      check: async (check, { now }) => checkCondition(check, await checkTimeOf(services, now)),
      stage: 'l.stage',
      ownerId: 'l.ownerId',
      kind: (kind) => hasOrigin(sql`g.kind = ${kind}`),
      eventId: (id) => (isId(id) ? hasOrigin(sql`g.event_id::text = ${id.toLowerCase()}`) : sql<boolean>`false`),
      affiliateId: (affiliateId) => hasOrigin(sql`g.affiliate_id = ${affiliateId}`),
      schoolId: 'l.schoolId',
      provinceId: (
        provinceId,
      ) => sql<boolean>`l.school_id IN (SELECT s.id FROM schools s JOIN cities c ON c.id = s.city_id
      WHERE c.province_id = ${provinceId})`,
      programmeId: 'l.programmeId',
      dueUntil: (day) => sql<boolean>`l.next_contact_on <= ${day}::date`,
      cameFrom: (day) => sql<boolean>`l.created_at >= ${universityCalendar().startOfDay(day)}`,
      cameUntil: (day) => sql<boolean>`l.created_at <= ${universityCalendar().endOfDay(day)}`,
    },
    rows: () =>
      services.db
        .selectFrom('leads as l')
        .leftJoin('schools as s', 's.id', 'l.schoolId')
        .leftJoin('cities as c', 'c.id', 's.cityId')
        .leftJoin('provinces as v', 'v.id', 'c.provinceId')
        .leftJoin('studyProgrammes as p', 'p.id', 'l.programmeId')
        .leftJoin('accounts as w', 'w.id', 'l.ownerId')
        .select(['l.id', 'l.name', 'l.stage', 'l.phone', 'l.email', 'l.major', 'l.nextContactOn', 'l.createdAt'])
        .select(['v.name as province', 'p.name as programme', 'w.name as owner'])
        .select([
          sql<string | null>`coalesce(s.name, l.school_name)`.as('school'),
          sql<Date | null>`(SELECT max(n.at) FROM lead_notes n WHERE n.lead_id = l.id AND n.kind = 'call')`.as(
            'lastContactAt',
          ),
          sql<'event'>`coalesce((SELECT g.kind FROM lead_origins g WHERE g.lead_id = l.id ORDER BY g.recorded_at, g.id LIMIT 1),
            'staff')`.as('kind'),
          sql<number>`(SELECT count(*)::int FROM lead_origins g WHERE g.lead_id = l.id)`.as('origins'),
          sql<string | null>`(SELECT f.name FROM lead_origins g JOIN affiliates f ON f.id = g.affiliate_id
            WHERE g.lead_id = l.id ORDER BY g.recorded_at, g.id LIMIT 1)`.as('affiliate'),
          maybeApplicant.as('maybeApplicant'),
          hasDuplicate.as('duplicate'),
        ]),
    sorts: {
      name: { by: sql`l.name_key`, type: 'text' },
      nextContactOn: { by: sql`coalesce(l.next_contact_on, 'infinity'::date)`, type: 'date' },
      createdAt: { by: sql`l.created_at`, type: 'timestamptz' },
    },
    id: sql`l.id`,
  })

export const serveLeads = (app: App, services: Services) => serveList(app, services, listLeads, leadSource(services))
