import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

type Sql = RawBuilder<unknown>

/** Whose facts a table holds. The expressions read a row `f` of facts, or the id `d.id`. */
const subjects = {
  registration: {
    label: sql`(SELECT r.code FROM registrations r WHERE r.id = d.id)`,
    path: sql`'/pendaftaran/' || d.id`,
  },
  payment: {
    label: sql`(SELECT y.provider || ' ' || y.provider_reference FROM payments y WHERE y.id = d.id)`,
    path: sql`'/pembayaran-mahasiswa/' || d.id`,
  },
}

type Options = { of?: keyof typeof subjects; id: Sql; value: Sql; only?: Sql }

/** Selects subjects whose stored facts differ from the derived ones; `value` describes a row, `only` chooses some. */
const facts = (name: string, { of = 'registration', id, value, only = sql`true` }: Options) => {
  const [stored, derived] = [sql.table(name), sql.table(`derived_${name}`)]
  const described = (isStored: Sql) => sql`string_agg(${value}, '; ' ORDER BY ${value}) FILTER (WHERE ${isStored})`
  return sql<Impossible>`
    SELECT ${of}::text AS subject_type, d.id::text, coalesce(${subjects[of].label}, d.id::text) AS label, d.stored, d.derived,
      ${subjects[of].path} AS path
    FROM (
      SELECT ${id} AS id, ${described(sql`f.is_stored`)} AS stored, ${described(sql`NOT f.is_stored`)} AS derived
      FROM (SELECT true AS is_stored, s.* FROM (SELECT * FROM ${stored} EXCEPT ALL SELECT * FROM ${derived}) s
        UNION ALL SELECT false, s.* FROM (SELECT * FROM ${derived} EXCEPT ALL SELECT * FROM ${stored}) s) f
      WHERE ${only} GROUP BY 1
    ) d`
}

/** Compares what reports count with the registrations, bills and movements that it comes from. */
export const factInvariants: InvariantsOf<'facts'> = {
  'fact-registration': () =>
    facts('registration_facts', { id: sql`f.id`, value: sql`(to_jsonb(f) - 'is_stored')::text` }),
  'fact-place': () =>
    facts('paid_places', { id: sql`f.registration_id`, value: sql`concat_ws(' ', f.bill_id, f.paid_at)` }),
  'fact-payment': () =>
    facts('payment_facts', { of: 'payment', id: sql`f.id`, value: sql`(to_jsonb(f) - 'is_stored')::text` }),
  'fact-money': () =>
    facts('money_facts', {
      id: sql`f.registration_id`,
      value: sql`concat_ws(' ', f.kind, f.amount, f.at, f.bill_kind, f.fee_component_id, f.beyond)`,
      // Bills with a component of another order wait for the job that divides their money again.
      only: sql`NOT EXISTS (SELECT FROM bill_lines l JOIN redivisions d ON d.fee_component_id = l.fee_component_id
        WHERE l.bill_id = f.bill_id)`,
    }),
}
