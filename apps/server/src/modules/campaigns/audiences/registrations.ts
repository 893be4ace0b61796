import { type RawBuilder, sql } from 'kysely'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { selectionFor } from '#server/list/serve-list.ts'
import { registrationSource } from '#server/modules/admissions/registrations/list-registrations.ts'
import { nextBill } from '#server/modules/payments/bills/next-bill.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { hideUnpublished, isPublished, programmeUnlessHidden } from '#server/platform/access/decision-scope.ts'
import type { Services } from '#server/platform/services.ts'
import { type FilterValues, parseListFilters } from './filters.ts'
import { momentInWords, rupiahInWords, valuesColumn } from './value-columns.ts'

/**
 * One row per account: its newest registration that matches the filters. The filters ignore unpublished decisions, even
 * if the actor may see them.
 */
export async function registrationPeople(
  services: Services,
  actor: Actor,
  filters: FilterValues,
  names: readonly string[],
): Promise<RawBuilder<unknown>> {
  const now = services.clock.now()
  const query = parseListFilters(listRegistrations, filters)
  const reader = { services, actor: hideUnpublished(actor), now, language: 'id' as const, params: {} }
  const { from } = await selectionFor(
    listRegistrations,
    registrationSource(services),
    reader,
    query.filters,
    query.sort,
  )
  const newest = from
    .select(['r.id', 'r.accountId'])
    .distinctOn('r.accountId')
    .orderBy('r.accountId')
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.id')
  const uses = (...keys: string[]) => keys.some((key) => names.includes(key))
  const join = (isUsed: boolean, sentence: RawBuilder<unknown>) => (isUsed ? sentence : sql``)
  // The message must not reveal an acceptance before publication, even if the sender may see the acceptance.
  const programme = programmeUnlessHidden(sql<boolean>`NOT ${isPublished(now)}`)
  return sql`SELECT r.id AS source_id, r.account_id, r.id AS registration_id,
      coalesce(nullif(a.full_name, ''), c.name) AS name, c.language, v.code AS province,
      coalesce(a.phone, c.phone) AS phone, c.email, c.whatsapp AS takes_whatsapp,
      ${valuesColumn(names, {
        code: sql`r.code`,
        programme: sql`p.name`,
        wave: sql`w.name`,
        track: sql`t.name`,
        amount: rupiahInWords(sql`b.remaining`),
        due: momentInWords(sql`b.due_at`, sql`c.language`),
      })} AS values,
      false AS is_invalid, r.created_at AS place
    FROM (${newest}) newest JOIN registrations r ON r.id = newest.id
      JOIN applicants a ON a.id = r.applicant_id
      JOIN accounts c ON c.id = r.account_id
      LEFT JOIN provinces v ON v.id = a.province_id
      ${join(uses('wave'), sql`JOIN waves w ON w.id = r.wave_id`)}
      ${join(uses('track'), sql`JOIN tracks t ON t.id = r.track_id`)}
      ${join(uses('programme'), sql`LEFT JOIN study_programmes p ON p.id = ${programme}`)}
      ${join(uses('amount', 'due'), sql`LEFT JOIN LATERAL ${nextBill(sql`r.id`)} b ON true`)}`
}
