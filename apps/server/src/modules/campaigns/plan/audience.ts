import { type RawBuilder, sql } from 'kysely'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Audience } from '#domain/campaigns/campaigns.ts'
import { listLeads } from '#domain/leads/lists.ts'
import type { AnyList } from '#domain/list.ts'
import { monthsFor } from '#locales/format.ts'
import { selectionFor } from '#server/list/serve-list.ts'
import { registrationSource } from '#server/modules/admissions/registrations/list-registrations.ts'
import { leadSource } from '#server/modules/leads/list-leads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeSql } from '#server/platform/access/decision-scope.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { AppError, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { affiliateFilters, schoolFilters, visitorFilters } from './audience-filters.ts'

export type AudienceQuestion = {
  audience: Audience
  filters: Readonly<Record<string, string>>
  sheetId: string | null
}

/** Lists whose filters choose an audience. */
export const listOfAudience: Partial<Record<Audience, AnyList>> = {
  registrations: listRegistrations,
  leads: listLeads,
}

/**
 * People of an audience as SQL, with the columns source_id, account_id, registration_id, name, language, province (code),
 * phone, email, takes_whatsapp, values, problems and place, by which they are ordered. Rows are within the row scope of the
 * actor. 422 for filters that the audience does not have.
 */
export async function peopleOf(
  services: Services,
  actor: Actor,
  { audience, filters, sheetId }: AudienceQuestion,
): Promise<RawBuilder<unknown>> {
  if (audience === 'registrations') return registrations(services, actor, filters)
  if (audience === 'sheet') return sheetRows(services, actor, sheetId)
  // Leads, visitors, schools and affiliates belong to the university as a whole.
  if (!seesAll(actor)) throw new AppError(403, 'settings_need_whole_view')
  if (audience === 'leads') return leads(services, actor, filters)
  if (audience === 'visitors') return visitors(filters)
  return audience === 'schools' ? schools(services, filters) : affiliates(filters)
}

/** Filters as the list's own query reads them; 422 naming the first that it refuses. */
function parsed<L extends AnyList>(list: L, filters: Readonly<Record<string, string>>) {
  const result = list.query.safeParse(filters)
  if (!result.success) throw invalid({ filters: 'invalid_input' })
  const { page: _page, per_page: _perPage, after: _after, sort, ...rest } = result.data as Record<string, unknown>
  return { filters: rest as never, sort: String(sort) }
}

const readerOf = (services: Services, actor: Actor) => ({
  services,
  actor,
  now: services.clock.now(),
  language: 'id' as const,
  params: {},
})

/** `27 November 2026` for an instant; names of months are those of dates on screen. */
const dayInWords = (column: RawBuilder<unknown>) => {
  const local = sql`(${column} AT TIME ZONE ${universityCalendar().timeZone})`
  const months = monthsFor('id', 'long')
  return sql`to_char(${local}, 'FMDD ') || (ARRAY[${sql.join(months.map((name) => sql.lit(name)))}])[extract(month FROM ${local})::int]
    || to_char(${local}, ' YYYY')`
}

/** One row per account: its newest registration that matches. */
async function registrations(services: Services, actor: Actor, filters: Readonly<Record<string, string>>) {
  const reader = readerOf(services, actor)
  const query = parsed(listRegistrations, filters)
  const { from } = await selectionFor(
    listRegistrations,
    registrationSource(services),
    reader,
    query.filters,
    query.sort,
  )
  const matching = (from as never as { select(column: string): { compile(): never } }).select('r.id') as never
  return sql`SELECT DISTINCT ON (r.account_id) r.id AS source_id, r.account_id, r.id AS registration_id,
      coalesce(nullif(a.full_name, ''), c.name) AS name, c.language, v.code AS province, coalesce(a.phone, c.phone) AS phone,
      c.email, c.whatsapp AS takes_whatsapp,
      jsonb_strip_nulls(jsonb_build_object('code', r.code, 'programme', p.name, 'wave', w.name, 'track', t.name,
        'amount', b.amount, 'due', b.due)) AS values,
      NULL::jsonb AS problems, r.created_at AS place
    FROM registrations r
      JOIN applicants a ON a.id = r.applicant_id
      JOIN accounts c ON c.id = r.account_id
      JOIN waves w ON w.id = r.wave_id
      JOIN tracks t ON t.id = r.track_id
      LEFT JOIN provinces v ON v.id = a.province_id
      LEFT JOIN study_programmes p ON p.id = ${programmeSql(actor, reader.now)}
      LEFT JOIN LATERAL (SELECT 'Rp ' || replace(to_char(total - paid, 'FM999,999,999,999'), ',', '.') AS amount,
          ${dayInWords(sql`due_at`)} AS due
        FROM bills WHERE registration_id = r.id AND status IN ('open', 'partly_paid') ORDER BY issued_at LIMIT 1) b ON true
    WHERE r.id IN (${matching}) ORDER BY r.account_id, r.created_at DESC`
}

async function leads(services: Services, actor: Actor, filters: Readonly<Record<string, string>>) {
  const query = parsed(listLeads, filters)
  const { from } = await selectionFor(
    listLeads,
    leadSource(services),
    readerOf(services, actor),
    query.filters,
    query.sort,
  )
  const matching = (from as never as { select(column: string): never }).select('l.id')
  return sql`SELECT l.id AS source_id, l.account_id, NULL::uuid AS registration_id, l.name, 'id' AS language,
      v.code AS province, l.phone, l.email, true AS takes_whatsapp,
      jsonb_strip_nulls(jsonb_build_object('school', coalesce(s.name, l.school_name), 'programme', p.name)) AS values,
      NULL::jsonb AS problems, l.created_at AS place
    FROM leads l LEFT JOIN schools s ON s.id = l.school_id LEFT JOIN cities i ON i.id = s.city_id
      LEFT JOIN provinces v ON v.id = i.province_id LEFT JOIN study_programmes p ON p.id = l.programme_id
    WHERE l.id IN (${matching})`
}

/** Visitors of an event; those who did not agree to be contacted get messages about their visit only, which planning judges by the purpose. */
function visitors(filters: Readonly<Record<string, string>>) {
  const { eventId, sessionId, state } = visitorFilters(filters)
  return sql`SELECT x.id AS source_id, NULL::uuid AS account_id, NULL::uuid AS registration_id, x.name, x.language,
      v.code AS province, x.phone, x.email, true AS takes_whatsapp,
      jsonb_strip_nulls(jsonb_build_object('event', CASE x.language WHEN 'en' THEN e.name_en ELSE e.name_id END,
        'session', nullif(n.name, ''), 'date', ${dayInWords(sql`n.starts_at`)}, 'place', coalesce(e.place, e.link),
        'code', x.code)) AS values,
      NULL::jsonb AS problems, x.created_at AS place
    FROM event_visitors x JOIN events e ON e.id = x.event_id JOIN event_sessions n ON n.id = x.session_id
      LEFT JOIN schools s ON s.id = x.school_id LEFT JOIN cities i ON i.id = s.city_id
      LEFT JOIN provinces v ON v.id = i.province_id
    WHERE x.event_id = ${eventId} AND x.state = ${state}
      AND ${sessionId ? sql`x.session_id = ${sessionId}` : sql`true`}`
}

/** Schools with an agreement that is valid today, by the address that stands in its contact. */
function schools({ clock }: Services, filters: Readonly<Record<string, string>>) {
  const { provinceId, schoolTypeId } = schoolFilters(filters)
  const today = universityCalendar().dayOf(clock.now())
  return sql`SELECT m.id AS source_id, NULL::uuid AS account_id, NULL::uuid AS registration_id, s.name, 'id' AS language,
      v.code AS province,
      regexp_replace(regexp_replace(substring(m.contact FROM '(?:\\+?62|0)8[0-9 ()\\-.]{7,16}'), '[^0-9]', '', 'g'),
        '^(62|0)', '+62') AS phone,
      lower(substring(m.contact FROM '[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}')) AS email, true AS takes_whatsapp,
      jsonb_build_object('school', s.name, 'city', i.name) AS values, NULL::jsonb AS problems, m.created_at AS place
    FROM school_agreements m JOIN schools s ON s.id = m.school_id JOIN cities i ON i.id = s.city_id
      JOIN provinces v ON v.id = i.province_id
    WHERE m.active AND m.valid_to >= ${today}::date AND coalesce(m.valid_from <= ${today}::date, true)
      AND ${provinceId ? sql`i.province_id = ${provinceId}` : sql`true`}
      AND ${schoolTypeId ? sql`s.school_type_id = ${schoolTypeId}` : sql`true`}`
}

function affiliates(filters: Readonly<Record<string, string>>) {
  const { kind } = affiliateFilters(filters)
  return sql`SELECT f.id AS source_id, f.account_id, NULL::uuid AS registration_id, f.name, coalesce(c.language, 'id') AS language,
      NULL::text AS province, f.phone, coalesce(f.email, c.email) AS email, coalesce(c.whatsapp, true) AS takes_whatsapp,
      jsonb_build_object('code', f.code) AS values, NULL::jsonb AS problems, f.created_at AS place
    FROM affiliates f LEFT JOIN accounts c ON c.id = f.account_id
    WHERE f.active AND ${kind ? sql`f.kind = ${kind}` : sql`true`}`
}

async function sheetRows({ db }: Services, actor: Actor, sheetId: string | null) {
  const sheet = sheetId
    ? await db.selectFrom('campaignSheets').select(['id', 'createdBy']).where('id', '=', sheetId).executeTakeFirst()
    : undefined
  if (!sheet || (sheet.createdBy !== actor.accountId && !seesAll(actor))) throw notFound('sheet')
  return sql`SELECT NULL::uuid AS source_id, NULL::uuid AS account_id, NULL::uuid AS registration_id,
      coalesce(w.name, '') AS name, coalesce(w.language, 'id') AS language, NULL::text AS province, w.phone, w.email,
      true AS takes_whatsapp, w.values, w.problems, w.number AS place
    FROM campaign_sheet_rows w WHERE w.sheet_id = ${sheet.id}`
}
