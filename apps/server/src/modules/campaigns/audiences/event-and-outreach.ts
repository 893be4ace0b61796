import { type RawBuilder, sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { Services } from '#server/platform/services.ts'
import { type FilterValues, parseOwnFilters } from './filters.ts'
import { momentInWords, valuesColumn } from './value-columns.ts'

const whereAll = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` AND `)

/** Visitors of an event who agreed to be contacted and are not erased. */
export function visitorPeople(filters: FilterValues, names: readonly string[]): RawBuilder<unknown> {
  const { eventId, sessionId, state } = parseOwnFilters('visitors', filters)
  const conditions = [
    sql`x.event_id = ${eventId} AND x.consented_at IS NOT NULL AND x.erased_at IS NULL`,
    ...(sessionId ? [sql`x.session_id = ${sessionId}`] : []),
    ...(state ? [sql`x.state = ${state}`] : []),
  ]
  return sql`SELECT x.id AS source_id, NULL::uuid AS account_id, NULL::uuid AS registration_id, x.name, x.language,
      v.code AS province, x.phone, x.email, true AS takes_whatsapp,
      ${valuesColumn(names, {
        event: sql`CASE x.language WHEN 'en' THEN e.name_en ELSE e.name_id END`,
        session: sql`n.name`,
        date: momentInWords(sql`n.starts_at`, sql`x.language`),
        place: sql`coalesce(e.place, e.link)`,
        code: sql`x.code`,
      })} AS values,
      false AS is_invalid, x.created_at AS place
    FROM event_visitors x JOIN events e ON e.id = x.event_id JOIN event_sessions n ON n.id = x.session_id
      LEFT JOIN schools s ON s.id = x.school_id LEFT JOIN cities i ON i.id = s.city_id
      LEFT JOIN provinces v ON v.id = i.province_id
    WHERE ${whereAll(conditions)}`
}

/**
 * One row per school with an active agreement that is valid today and names a phone or e-mail. If a school has several
 * such agreements, the one that ends last counts.
 */
export function schoolPeople(
  { clock }: Pick<Services, 'clock'>,
  filters: FilterValues,
  names: readonly string[],
): RawBuilder<unknown> {
  const { provinceId, schoolTypeId } = parseOwnFilters('schools', filters)
  const today = universityCalendar().dayOf(clock.now())
  const conditions = [
    sql`m.active AND m.valid_to >= ${today}::date AND coalesce(m.valid_from <= ${today}::date, true)`,
    sql`(m.contact_phone IS NOT NULL OR m.contact_email IS NOT NULL)`,
    ...(provinceId ? [sql`i.province_id = ${provinceId}`] : []),
    ...(schoolTypeId ? [sql`s.school_type_id = ${schoolTypeId}`] : []),
  ]
  return sql`SELECT DISTINCT ON (s.id) m.id AS source_id, NULL::uuid AS account_id, NULL::uuid AS registration_id,
      coalesce(nullif(m.contact, ''), s.name) AS name, 'id' AS language, v.code AS province,
      m.contact_phone AS phone, m.contact_email AS email, true AS takes_whatsapp,
      ${valuesColumn(names, { school: sql`s.name`, city: sql`i.name` })} AS values,
      false AS is_invalid, m.created_at AS place
    FROM school_agreements m JOIN schools s ON s.id = m.school_id JOIN cities i ON i.id = s.city_id
      JOIN provinces v ON v.id = i.province_id
    WHERE ${whereAll(conditions)} ORDER BY s.id, m.valid_to DESC, m.id`
}

export function affiliatePeople(filters: FilterValues, names: readonly string[]): RawBuilder<unknown> {
  const { kind } = parseOwnFilters('affiliates', filters)
  const conditions = [sql`f.active`, ...(kind ? [sql`f.kind = ${kind}`] : [])]
  return sql`SELECT f.id AS source_id, f.account_id, NULL::uuid AS registration_id, f.name,
      coalesce(c.language, 'id') AS language, NULL::text AS province, f.phone, coalesce(f.email, c.email) AS email,
      coalesce(c.whatsapp, true) AS takes_whatsapp, ${valuesColumn(names, { code: sql`f.code` })} AS values,
      false AS is_invalid, f.created_at AS place
    FROM affiliates f LEFT JOIN accounts c ON c.id = f.account_id
    WHERE ${whereAll(conditions)}`
}
