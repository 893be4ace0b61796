import { type RawBuilder, sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { listLeads } from '#domain/leads/lists.ts'
import { nameKeyOf } from '#domain/leads/person-key.ts'
import type { FiltersOf } from '#domain/list.ts'
import { type ListSource, serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { likePattern } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type CheckTime, checkCondition, hasDuplicate, maybeApplicant, queueCondition } from './lead-conditions.ts'

type Filters = FiltersOf<typeof listLeads>

/** Searches names for everybody, phones only for readers who see them in full. */
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

function conditionsOf(actor: Actor, time: CheckTime, filters: Filters): RawBuilder<boolean>[] {
  const { q, queue, check, stage, ownerId, kind, eventId, affiliateId, schoolId, provinceId, programmeId } = filters
  const calendar = universityCalendar()
  const { dueUntil, cameFrom, cameUntil } = filters
  return [
    sql<boolean>`l.merged_into IS NULL`,
    ...(q === undefined ? [] : [searched(actor, q)]),
    ...(queue ? [queueCondition(queue, actor.accountId, time.today)] : []),
    ...(check ? [checkCondition(check, time)] : []),
    ...(stage ? [sql<boolean>`l.stage = ${stage}`] : []),
    ...(ownerId ? [sql<boolean>`l.owner_id = ${ownerId}`] : []),
    ...(kind ? [hasOrigin(sql`g.kind = ${kind}`)] : []),
    ...(eventId
      ? [isId(eventId) ? hasOrigin(sql`g.event_id::text = ${eventId.toLowerCase()}`) : sql<boolean>`false`]
      : []),
    ...(affiliateId ? [hasOrigin(sql`g.affiliate_id = ${affiliateId}`)] : []),
    ...(schoolId ? [sql<boolean>`l.school_id = ${schoolId}`] : []),
    ...(provinceId
      ? [
          sql<boolean>`l.school_id IN (SELECT s.id FROM schools s JOIN cities c ON c.id = s.city_id
            WHERE c.province_id = ${provinceId})`,
        ]
      : []),
    ...(programmeId ? [sql<boolean>`l.programme_id = ${programmeId}`] : []),
    ...(dueUntil ? [sql<boolean>`l.next_contact_on <= ${dueUntil}::date`] : []),
    ...(cameFrom ? [sql<boolean>`l.created_at >= ${calendar.startOfDay(cameFrom)}`] : []),
    ...(cameUntil ? [sql<boolean>`l.created_at <= ${calendar.endOfDay(cameUntil)}`] : []),
  ]
}

/** The list of leads, for its page and for campaigns. */
export const leadSource = (services: Services): ListSource<typeof listLeads, any, any, any> => ({
  from: async ({ actor, now }, filters) => {
    requireWholeView(actor, 'settings_need_whole_view')
    const { keepLeadsMonths: keepMonths } = await getSettings(services.db)
    const time = { today: universityCalendar().dayOf(now), now, keepMonths }
    return services.db
      .selectFrom('leads as l')
      .where(sql<boolean>`${sql.join(conditionsOf(actor, time, filters), sql` AND `)}`)
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
