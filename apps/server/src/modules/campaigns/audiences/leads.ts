import { type RawBuilder, sql } from 'kysely'
import { listLeads } from '#domain/leads/lists.ts'
import { selectionFor } from '#server/list/serve-list.ts'
import { leadSource } from '#server/modules/leads/list-leads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { type FilterValues, parseListFilters } from './filters.ts'
import { valuesColumn } from './value-columns.ts'

/** Leads that match the filters, agreed to be contacted and are not marked as not interested. */
export async function leadPeople(
  services: Services,
  actor: Actor,
  filters: FilterValues,
  names: readonly string[],
): Promise<RawBuilder<unknown>> {
  const query = parseListFilters(listLeads, filters)
  const reader = { services, actor, now: services.clock.now(), language: 'id' as const, params: {} }
  const { from } = await selectionFor(listLeads, leadSource(services), reader, query.filters, query.sort)
  return sql`SELECT l.id AS source_id, l.account_id, NULL::uuid AS registration_id, l.name,
      (SELECT g.consent_language FROM lead_origins g WHERE g.lead_id = l.id ORDER BY g.consented_at DESC, g.id LIMIT 1)
        AS language,
      v.code AS province, l.phone, l.email, coalesce(c.whatsapp, true) AS takes_whatsapp,
      ${valuesColumn(names, { school: sql`coalesce(s.name, l.school_name)`, programme: sql`p.name` })} AS values,
      false AS is_invalid, l.created_at AS place
    FROM (${from.select('l.id')}) found JOIN leads l ON l.id = found.id
      LEFT JOIN accounts c ON c.id = l.account_id
      LEFT JOIN schools s ON s.id = l.school_id LEFT JOIN cities i ON i.id = s.city_id
      LEFT JOIN provinces v ON v.id = i.province_id LEFT JOIN study_programmes p ON p.id = l.programme_id
    WHERE l.stage <> 'not_interested' AND EXISTS (SELECT FROM lead_origins g WHERE g.lead_id = l.id)`
}
