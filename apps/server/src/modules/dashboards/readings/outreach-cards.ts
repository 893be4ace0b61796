import { sql } from 'kysely'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { readBalance } from '#server/modules/affiliates/link-account.ts'
import { findOwnAffiliate, getOwnAffiliate } from '#server/modules/affiliates/own-affiliate.ts'
import { referredBy } from '#server/modules/affiliates/own-lists.ts'
import {
  type CardQuestion,
  type CardReading,
  figureOf,
  firstLines,
  lineOf,
  reportAddress,
} from '#server/modules/dashboards/card.ts'
import { readReport } from '#server/modules/dashboards/readings/read-report.ts'
import { currentYear } from '#server/modules/reports/engine/read-question.ts'
import { defineReport } from '#server/modules/reports/report.ts'
import { referrals } from '#server/modules/reports/voucher-afiliator.report.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { publicStatusSql } from '#server/platform/access/decision-scope.ts'
import { maskName } from '#server/platform/access/masks.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Condition on submitted registrations `r` of the present academic year within the reader's scope. */
async function submittedRows({ services: { db }, actor, at }: CardQuestion) {
  const year = await currentYear(db, at)
  return sql<boolean>`r.submitted_at <= ${at} AND ${visibleTo(actor)}
    AND r.wave_id IN (SELECT id FROM waves WHERE academic_year = ${year})`
}

type Counted = { label: string; submitted: number; enrolled: number }

const columns = [
  { key: 'submitted', kind: 'count' },
  { key: 'enrolled', kind: 'count' },
  { key: 'conversion', kind: 'share' },
] as const
const shareOf = (part: number, whole: number) => (whole > 0 ? part / whole : null)
const valuesOf = ({ submitted, enrolled }: Counted) => [submitted, enrolled, shareOf(enrolled, submitted)]

/** Sources from which applicants heard of the university; one answer may name several. */
export const sources: CardReading = async (question) => {
  const { services, actor } = question
  const isCounted = await submittedRows(question)
  const { rows } = await sql<Counted>`
    SELECT s.source AS label, count(*)::int AS submitted, count(r.enrolled_at)::int AS enrolled
    FROM registrations r JOIN questionnaires q ON q.account_id = r.account_id CROSS JOIN unnest(q.sources) AS s (source)
    WHERE ${isCounted} GROUP BY 1 ORDER BY 2 DESC, 1`.execute(services.db)
  return {
    columns: [...columns],
    ...firstLines(
      rows.map((row) =>
        lineOf(valuesOf(row), {
          word: `applicants:questionnaire.sources.${row.label}`,
          to: reportAddress(actor, 'kuesioner-mahasiswa', {
            by: 'question,answer',
            figure: 'answers',
            keys: { question: 'sources', answer: `sources/${row.label}` },
          }),
        }),
      ),
      7,
    ),
    to: reportAddress(actor, 'kuesioner-mahasiswa'),
  }
}

export const schools: CardReading = async (question) => {
  const { services, actor } = question
  const isCounted = await submittedRows(question)
  const { rows } = await sql<Counted & { id: string; total: number }>`
    SELECT s.id, s.name AS label, c.submitted, c.enrolled, c.total FROM (
      SELECT a.school_id, count(*)::int AS submitted, count(r.enrolled_at)::int AS enrolled, count(*) OVER ()::int AS total
      FROM registrations r JOIN applicants a ON a.id = r.applicant_id
      WHERE a.school_id IS NOT NULL AND ${isCounted} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 6) c
    JOIN schools s ON s.id = c.school_id ORDER BY c.submitted DESC, s.name`.execute(services.db)
  return {
    columns: [...columns],
    lines: rows.map((row) =>
      lineOf(valuesOf(row), {
        label: row.label,
        to: reportAddress(actor, 'wilayah-asal-sekolah', {
          by: 'school',
          figure: 'submitted',
          keys: { school: row.id },
        }),
      }),
    ),
    more: Math.max(0, (rows[0]?.total ?? 0) - rows.length),
    to: reportAddress(actor, 'wilayah-asal-sekolah'),
  }
}

const { submitted, enrolled, commissionEarned } = referrals.measures
const referralsByAffiliate = defineReport({
  ...referrals,
  measures: { submitted, enrolled, commissionEarned },
})

/**
 * Registrations and commission of each affiliate, most registrations first. The totals include vouchers without an
 * affiliate.
 */
export const vouchers: CardReading = async (question) => {
  const { lines, total } = await readReport(question, referralsByAffiliate, 'affiliate', false)
  const open = (figure: 'submitted' | 'enrolled' | 'commissionEarned', keys: ReportLine['keys'] = {}) =>
    reportAddress(question.actor, 'voucher-afiliator', { by: 'affiliate', figure, keys })
  const totalOf = (figure: 'submitted' | 'enrolled' | 'commissionEarned') => total?.values[figure] ?? 0
  const affiliates = lines
    .flatMap(({ keys, labels: { affiliate }, values }) => {
      const [referred, enrolled, commission] = [
        values.submitted ?? 0,
        values.enrolled ?? 0,
        values.commissionEarned ?? 0,
      ]
      const isShown = keys.affiliate && (referred > 0 || commission !== 0)
      return isShown && affiliate !== undefined ? [{ keys, affiliate, referred, enrolled, commission }] : []
    })
    .sort((a, b) => b.referred - a.referred || a.affiliate.localeCompare(b.affiliate))
  return {
    figures: [
      figureOf('referred', totalOf('submitted'), { to: open('submitted') }),
      figureOf('enrolled', totalOf('enrolled'), { to: open('enrolled') }),
      figureOf('commission', totalOf('commissionEarned'), { kind: 'money', to: open('commissionEarned') }),
    ],
    columns: [columns[0], columns[1], { key: 'commission', kind: 'money' }],
    ...firstLines(
      affiliates.map(({ keys, affiliate, referred, enrolled, commission }) =>
        lineOf([referred, enrolled, commission], {
          label: affiliate,
          to: open('submitted', keys),
        }),
      ),
      8,
    ),
    to: reportAddress(question.actor, 'voucher-afiliator'),
  }
}

/** Whether the account belongs to an affiliate. */
export const isAffiliate = async (db: Db, actor: Actor) => (await findOwnAffiliate(db, actor)) !== undefined

type Person = {
  name: string
  status: RegistrationStatus
  createdAt: Date
  total: number
  submitted: number
  enrolled: number
}

/**
 * People with the code of the reader's own affiliate, counted as on the affiliate's page, newest first. Names are
 * masked, and the status hides unpublished decisions. The affiliate's code replaces the row scope.
 */
export const referred: CardReading = async ({ services: { db }, actor, at }) => {
  const own = await getOwnAffiliate(db, actor)
  const { rows } = await sql<Person>`
    SELECT a.full_name AS name, ${publicStatusSql(at)} AS status, r.created_at, count(*) OVER ()::int AS total,
      count(r.submitted_at) OVER ()::int AS submitted, count(r.enrolled_at) OVER ()::int AS enrolled
    FROM registrations r JOIN applicants a ON a.id = r.applicant_id
    WHERE r.id IN (${referredBy(own)})
    ORDER BY r.created_at DESC, r.id LIMIT 10`.execute(db)
  const [first] = rows
  const { balance } = await readBalance(db, own)
  return {
    to: actor.permissions.has('afiliator-saya') ? '/afiliator-saya' : null,
    figures: [
      figureOf('balance', balance, { kind: 'money' }),
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
