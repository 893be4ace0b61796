import { sql } from 'kysely'
import type { Facts, Group, Measure, Sql } from '#server/modules/reports/report.ts'
import { joinsOfRegistration, ofRegistration, withStored } from './of-registration.ts'

const series: Group = { key: sql`n.number_scope`, label: sql`n.number_scope` }
const nameOf = (id: Sql) => sql`(SELECT u.name FROM accounts u WHERE u.id = ${id})`

/** Every number ever issued, including withdrawn ones. A card belongs to its number. */
const numbers = sql`(
  SELECT s.npm, s.registration_id, s.programme_id, s.number_scope, s.issued_at, s.issued_by, NULL::timestamptz AS withdrawn_at,
    NULL::uuid AS withdrawn_by, NULL::text AS reason FROM students s
  UNION ALL
  SELECT s.npm, s.registration_id, s.programme_id, s.number_scope, s.issued_at, s.issued_by, s.withdrawn_at, s.withdrawn_by, s.reason
  FROM withdrawn_student_numbers s)`
const cards = sql`(SELECT k.npm, min(i.printed_at) AS printed_at FROM student_cards k
  JOIN student_card_prints i ON i.id = k.print_id GROUP BY k.npm)`

const numberFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (
      registrations,
    ) => sql`${numbers} n JOIN ${registrations} r ON r.id = n.registration_id LEFT JOIN ${cards} card ON card.npm = n.npm
    ${joinsOfRegistration}`,
  ),
  groups: { ...ofRegistration.groups, series },
  id: sql`n.npm`,
  order: sql`n.npm`,
  columns: {
    npm: { value: sql`n.npm`, kind: 'text' },
    ...ofRegistration.columns,
    issuedAt: { value: sql`n.issued_at`, kind: 'dateTime' },
    issuedBy: { value: nameOf(sql`n.issued_by`), kind: 'text' },
    cardPrintedAt: { value: sql`card.printed_at`, kind: 'dateTime' },
    withdrawnAt: { value: sql`n.withdrawn_at`, kind: 'dateTime' },
    withdrawnBy: { value: nameOf(sql`n.withdrawn_by`), kind: 'text' },
    withdrawnReason: { value: sql`n.reason`, kind: 'text' },
    series: { value: sql`n.number_scope`, kind: 'text' },
  },
}

const isHeld = sql<boolean>`(n.withdrawn_at IS NULL OR n.withdrawn_at > moment.at)`

/** Numbers that students hold: all, without and with a printed card; then withdrawn numbers. */
export const studentNumbers: Measure = { facts: numberFacts, at: sql`n.issued_at`, where: isHeld }
export const withoutCard: Measure = {
  ...studentNumbers,
  where: sql<boolean>`${isHeld} AND coalesce(card.printed_at > moment.at, true)`,
}
export const withCard: Measure = { ...studentNumbers, where: sql<boolean>`${isHeld} AND card.printed_at <= moment.at` }
export const withdrawnNumbers: Measure = { facts: numberFacts, at: sql`n.withdrawn_at` }

/**
 * Numbers that a counter skipped and nobody ever had, each with a neighbour: the next issued number, else the last one.
 */
const gaps = sql`(
  SELECT g.scope AS number_scope, missing.value, g.neighbour FROM (
    SELECT e.scope, e.value, lag(e.value, 1, 0::bigint) OVER (PARTITION BY e.scope ORDER BY e.value) AS before,
      coalesce(e.npm, lag(e.npm) OVER (PARTITION BY e.scope ORDER BY e.value)) AS neighbour
    FROM (SELECT i.number_scope AS scope, i.number_value AS value, i.npm FROM every_student_number i WHERE i.number_scope IS NOT NULL
      UNION ALL SELECT k.scope, k.value + 1, NULL FROM number_counters k WHERE k.kind = 'student') e
  ) g CROSS JOIN LATERAL generate_series(g.before + 1, g.value - 1) missing(value) WHERE g.value > g.before + 1)`

/** Digits of a missing number, as many as its neighbour has. */
const missingNumber = sql`replace(n.number_scope, '#', lpad(n.value::text,
  greatest(length(n.value::text), length(near.npm) - length(replace(n.number_scope, '#', ''))), '0'))`

/** One row per missing number, under its neighbour's wave, track and study programme. */
const gapFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (
      registrations,
    ) => sql`${gaps} n JOIN every_student_number near ON near.npm = n.neighbour JOIN ${registrations} r ON r.id = near.registration_id
    ${joinsOfRegistration}`,
  ),
  groups: { ...ofRegistration.groups, series },
  id: sql`n.number_scope, n.value`,
  order: sql`n.number_scope, n.value`,
  path: { to: sql<string>`NULL::text`, access: 'npm-mahasiswa-view' },
  columns: {
    npm: { value: missingNumber, kind: 'text' },
    series: { value: sql`n.number_scope`, kind: 'text' },
    programme: { value: sql`p.name`, kind: 'text' },
    wave: { value: sql`w.name`, kind: 'text' },
  },
}

/** Missing numbers. A gap is known since its neighbour was issued. */
export const missingNumbers: Measure = { facts: gapFacts, at: sql`near.issued_at` }
