import { sql } from 'kysely'
import { maskName } from '#domain/access/masks.ts'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { isOf } from '#server/modules/affiliates/own-affiliate.ts'
import { type CardReading, figureOf, firstLines, lineOf, reportAddress } from '#server/modules/dashboards/card.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { publicStatusSql } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The academic year of the reports: the latest with a wave that has opened. */
const currentYear = (at: Date) => sql<string>`(SELECT academic_year FROM waves
  ORDER BY opens_at <= ${at} DESC, CASE WHEN opens_at <= ${at} THEN academic_year END DESC, academic_year LIMIT 1)`

/** Submitted registrations `r` of the year that the reader sees. */
const submittedRows = (actor: Actor, at: Date) => sql<boolean>`r.submitted_at <= ${at} AND ${visibleTo(actor)}
  AND r.wave_id IN (SELECT id FROM waves WHERE academic_year = ${currentYear(at)})`

type Counted = { label: string; submitted: number; enrolled: number }

const columns = [
  { key: 'submitted', kind: 'count' },
  { key: 'enrolled', kind: 'count' },
  { key: 'conversion', kind: 'share' },
] as const
const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : null)
const valuesOf = ({ submitted, enrolled }: Counted) => [submitted, enrolled, shareOf(enrolled, submitted)]

/** Where people heard of the university; one answer may name several sources. */
export const sources: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Counted>`
    SELECT s.source AS label, count(*)::int AS submitted, count(r.enrolled_at)::int AS enrolled
    FROM registrations r JOIN questionnaires q ON q.account_id = r.account_id CROSS JOIN unnest(q.sources) AS s (source)
    WHERE ${submittedRows(actor, at)} GROUP BY 1 ORDER BY 2 DESC, 1`.execute(db)
  return {
    columns: [...columns],
    ...firstLines(
      rows.map((row) => lineOf(valuesOf(row), { word: `applicants:questionnaire.sources.${row.label}` })),
      7,
    ),
    to: reportAddress(actor, 'kuesioner-mahasiswa'),
  }
}

export const schools: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Counted & { total: number }>`
    SELECT s.name AS label, c.submitted, c.enrolled, c.total FROM (
      SELECT a.school_id, count(*)::int AS submitted, count(r.enrolled_at)::int AS enrolled, count(*) OVER ()::int AS total
      FROM registrations r JOIN applicants a ON a.id = r.applicant_id
      WHERE a.school_id IS NOT NULL AND ${submittedRows(actor, at)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 6) c
    JOIN schools s ON s.id = c.school_id ORDER BY c.submitted DESC, s.name`.execute(db)
  return {
    columns: [...columns],
    lines: rows.map((row) => lineOf(valuesOf(row), { label: row.label })),
    more: Math.max(0, (rows[0]?.total ?? 0) - rows.length),
    to: reportAddress(actor, 'wilayah-asal-sekolah'),
  }
}

/** Registrations with the code of an affiliate `f` or with a voucher the affiliate hands out. */
const referredBy = sql`
  SELECT f.id AS affiliate_id, r.id FROM affiliates f JOIN registrations r ON lower(r.referral_code) = lower(f.code)
  UNION SELECT v.affiliate_id, u.registration_id FROM vouchers v JOIN discount_uses u ON u.voucher_id = v.id
    WHERE v.affiliate_id IS NOT NULL AND u.released_at IS NULL`

export const vouchers: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Counted & { commission: number }>`
    SELECT f.name AS label, count(*)::int AS submitted, count(r.enrolled_at)::int AS enrolled,
      coalesce(sum((SELECT sum(e.amount) FROM commission_entries e
        WHERE e.registration_id = r.id AND e.affiliate_id = f.id)), 0)::bigint AS commission
    FROM (${referredBy}) n JOIN registrations r ON r.id = n.id JOIN affiliates f ON f.id = n.affiliate_id
    WHERE ${submittedRows(actor, at)} GROUP BY f.id, f.name ORDER BY 2 DESC, 1`.execute(db)
  const sum = (name: 'submitted' | 'enrolled' | 'commission') => rows.reduce((total, row) => total + row[name], 0)
  return {
    figures: [
      figureOf('referred', sum('submitted')),
      figureOf('enrolled', sum('enrolled')),
      figureOf('commission', sum('commission'), { kind: 'money' }),
    ],
    columns: [columns[0], columns[1], { key: 'commission', kind: 'money' }],
    ...firstLines(
      rows.map((row) => lineOf([row.submitted, row.enrolled, row.commission], { label: row.label })),
      8,
    ),
    to: reportAddress(actor, 'voucher-afiliator'),
  }
}

/** Whether the account belongs to an affiliate. */
export const isAffiliate = async (db: Db, actor: Actor) =>
  (await sql`SELECT FROM affiliates f WHERE ${isOf(actor)} LIMIT 1`.execute(db)).rows.length > 0

type Person = {
  name: string
  status: RegistrationStatus
  createdAt: Date
  total: number
  submitted: number
  enrolled: number
}

/**
 * People whom the reader's own affiliate brought, the newest first: names masked, and a status that hides decisions until
 * they are public. The affiliate's link stands in for the row scope.
 */
export const referred: CardReading = async ({ services: { db }, actor, at }) => {
  const { rows } = await sql<Person>`
    SELECT a.full_name AS name, ${publicStatusSql(at)} AS status, r.created_at, count(*) OVER ()::int AS total,
      count(r.submitted_at) OVER ()::int AS submitted, count(r.enrolled_at) OVER ()::int AS enrolled
    FROM registrations r JOIN applicants a ON a.id = r.applicant_id
    WHERE r.id IN (SELECT n.id FROM (${referredBy}) n JOIN affiliates f ON f.id = n.affiliate_id
      WHERE ${isOf(actor)})
    ORDER BY r.created_at DESC, r.id LIMIT 10`.execute(db)
  const [first] = rows
  const { rows: balances } = await sql<{ balance: number }>`
    SELECT coalesce(sum(b.balance), 0)::bigint AS balance FROM commission_balances b JOIN affiliates f ON f.id = b.affiliate_id
    WHERE ${isOf(actor)}`.execute(db)
  return {
    to: actor.permissions.has('afiliator-saya') ? '/afiliator-saya' : null,
    figures: [
      figureOf('balance', balances[0]!.balance, { kind: 'money' }),
      figureOf('referred', first?.total ?? 0),
      figureOf('submitted', first?.submitted ?? 0),
      figureOf('enrolled', first?.enrolled ?? 0),
    ],
    lines: rows.map(({ name, status, createdAt }) =>
      lineOf([], { label: maskName(name), word: `admissions:status.${status}`, at: createdAt.toISOString() }),
    ),
    more: Math.max(0, (first?.total ?? 0) - rows.length),
  }
}
