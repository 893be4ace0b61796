import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Selects registrations whose stored facts differ from the derived ones; `value` describes a row `f`, `only` chooses some. */
const facts = (name: string, path: string, value: RawBuilder<unknown>, only = sql`true`) => {
  const [stored, derived] = [sql.table(name), sql.table(`derived_${name}`)]
  const id = name === 'registration_facts' ? sql`f.id` : sql`f.registration_id`
  const described = (isStored: RawBuilder<unknown>) =>
    sql`string_agg(${value}, '; ' ORDER BY ${value}) FILTER (WHERE ${isStored})`
  return sql<Impossible>`
    SELECT 'registration' AS subject_type, d.id::text, coalesce(r.code, d.id::text) AS label, d.stored, d.derived,
      '/pendaftaran/' || d.id || ${path}::text AS path
    FROM (
      SELECT ${id} AS id, ${described(sql`f.is_stored`)} AS stored, ${described(sql`NOT f.is_stored`)} AS derived
      FROM (SELECT true AS is_stored, s.* FROM (SELECT * FROM ${stored} EXCEPT ALL SELECT * FROM ${derived}) s
        UNION ALL SELECT false, s.* FROM (SELECT * FROM ${derived} EXCEPT ALL SELECT * FROM ${stored}) s) f
      WHERE ${only} GROUP BY 1
    ) d LEFT JOIN registrations r ON r.id = d.id`
}

/** Compares what reports count with the registrations, bills and movements that it comes from. */
export const factInvariants: InvariantsOf<'facts'> = {
  'fact-registration': () => facts('registration_facts', '', sql`(to_jsonb(f) - 'is_stored')::text`),
  'fact-place': () => facts('paid_places', '/pembayaran', sql`concat_ws(' ', f.bill_id, f.paid_at)`),
  'fact-money': () =>
    facts(
      'money_facts',
      '/pembayaran',
      sql`concat_ws(' ', f.kind, f.amount, f.at, f.bill_kind, f.fee_component_id, f.beyond)`,
      // Bills with a component of another order wait for the job that divides their money again.
      sql`NOT EXISTS (SELECT FROM bill_lines l JOIN redivisions d ON d.fee_component_id = l.fee_component_id
        WHERE l.bill_id = f.bill_id)`,
    ),
}
