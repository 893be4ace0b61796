import { type RawBuilder, sql } from 'kysely'
import { anyScope, type CounterKind } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import { sandboxBanks } from '#domain/payments/providers/sandbox-banks.ts'
import { type NumberToken, paperReceiptNumber, payoutNumber, refundNumber } from '#domain/settings/number-templates.ts'
import type { Condition, Impossible, InvariantsOf } from './invariant.ts'

type Tokens = Partial<Record<NumberToken, RawBuilder<unknown>>>

/** SQL texts before and after the running number of a template; tokens become columns. */
function aroundSequence(template: string, tokens: Tokens) {
  const [before = '', after = ''] = template.split(/\{SEQ:\d+\}/)
  const toSql = (part: string) => {
    const pieces = part.split(/\{(\w+)\}/)
    return sql`concat('', ${sql.join(pieces.map((text, index) => (index % 2 ? (tokens[text as NumberToken] ?? sql`NULL`) : sql`${text}::text`)))})`
  }
  return { before: toSql(before), after: toSql(after) }
}

type NumberSource = {
  kind: CounterKind
  template: string
  /** Column of the number, and the tables it is read from. */
  number: RawBuilder<unknown>
  from: RawBuilder<unknown>
  tokens: Tokens
  /** Scope of the counter, if it is not the text around the running number. */
  scope?: RawBuilder<unknown>
}

/**
 * Highest running number per scope, among numbers in the template's form. A number with more digits than the template
 * counts only if its counter has as many digits; otherwise only its beginning matches the template.
 */
function highestOf({ kind, template, number, from, tokens, scope }: NumberSource) {
  const { before, after } = aroundSequence(template, tokens)
  const digits = Number(/\{SEQ:(\d+)\}/.exec(template)?.[1] ?? 1)
  return sql`
    SELECT kind, scope, max(running::numeric) AS highest
    FROM (
      SELECT ${kind}::text AS kind, coalesce(own_scope, before || '#' || after) AS scope,
        substr(number, length(before) + 1, length(number) - length(before) - length(after)) AS running
      FROM (SELECT ${number} AS number, ${before} AS before, ${after} AS after, ${scope ?? sql`NULL`}::text AS own_scope
        FROM ${from}) given
      WHERE starts_with(number, before) AND right(number, length(after)) = after
        AND length(number) > length(before) + length(after)) alike
    LEFT JOIN number_counters c USING (kind, scope)
    WHERE running ~ '^\\d+$' AND length(running) <= greatest(${digits}::int, length(c.value::text))
    GROUP BY 1, 2`
}

const yearTokens = (year: RawBuilder<unknown>) => ({ tokens: { YYYY: year, YY: sql`right(${year}, 2)` }, scope: year })

function highestNumbers({ settings, now }: Condition) {
  const yearOf = (at: RawBuilder<unknown>) => sql`to_char(${at} AT TIME ZONE ${settings.timeZone}::text, 'YYYY')`
  /** Years a receipt may belong to: money may be allocated to a bill in a later year than it arrived. */
  const yearsSince = (at: RawBuilder<unknown>) =>
    sql`LATERAL (SELECT n::text AS year FROM generate_series(${yearOf(at)}::int, ${yearOf(sql`${now}::timestamptz`)}::int) n) y`
  const codes = { wave: sql`w.code`, track: sql`t.code` }
  const startYear = sql`left(w.academic_year, 4)`
  const banks = sql.join(
    sandboxBanks.map(({ code, prefix, digits, first }) => sql`(${code}, ${prefix}, ${digits}::int, ${first}::bigint)`),
  )
  return sql.join(
    [
      highestOf({
        kind: 'registration',
        template: settings.registrationNumber,
        number: sql`r.code`,
        from: sql`registrations r JOIN waves w ON w.id = r.wave_id JOIN tracks t ON t.id = r.track_id`,
        tokens: { ...yearTokens(yearOf(sql`r.created_at`)).tokens, ...codes },
      }),
      highestOf({
        kind: 'student',
        template: settings.studentNumber,
        number: sql`s.npm`,
        from: sql`every_student_number s JOIN registrations r ON r.id = s.registration_id JOIN waves w ON w.id = r.wave_id
          JOIN tracks t ON t.id = r.track_id JOIN study_programmes p ON p.id = s.programme_id
          JOIN faculties f ON f.id = p.faculty_id JOIN degree_levels l ON l.id = p.degree_level_id`,
        tokens: {
          ...yearTokens(startYear).tokens,
          ...codes,
          prodi: sql`p.npm_code`,
          faculty: sql`f.code`,
          level: sql`l.code`,
        },
      }),
      highestOf({
        kind: 'bill',
        template: settings.billNumber,
        number: sql`b.number`,
        from: sql`bills b`,
        ...yearTokens(yearOf(sql`b.issued_at`)),
      }),
      highestOf({
        kind: 'receipt',
        template: settings.receiptNumber,
        number: sql`p.receipt_number`,
        from: sql`payments p, ${yearsSince(sql`p.received_at`)} WHERE p.receipt_number IS NOT NULL`,
        ...yearTokens(sql`y.year`),
      }),
      highestOf({
        kind: 'refund',
        template: refundNumber,
        number: sql`f.number`,
        from: sql`refunds f`,
        ...yearTokens(yearOf(sql`f.created_at`)),
      }),
      highestOf({
        kind: 'paper-receipt',
        template: paperReceiptNumber,
        number: sql`p.number`,
        from: sql`paper_receipts p`,
        ...yearTokens(yearOf(sql`p.received_at`)),
      }),
      highestOf({
        kind: 'payout',
        template: payoutNumber,
        number: sql`p.number`,
        from: sql`payout_runs p`,
        ...yearTokens(yearOf(sql`p.created_at`)),
      }),
      sql`SELECT 'virtual-account', v.bank, max(right(v.number, k.digits)::numeric - k.first + 1)
        FROM virtual_accounts v JOIN (SELECT code, prefix, customer_digits, first_number FROM provider_banks
          UNION ALL VALUES ${banks}) k (code, prefix, digits, first)
          ON k.code = v.bank AND starts_with(v.number, k.prefix) AND length(v.number) = length(k.prefix) + k.digits
        GROUP BY v.bank`,
      sql`SELECT kind, scope, max(last_number) FROM number_gaps WHERE scope <> ${anyScope} GROUP BY 1, 2`,
    ],
    sql` UNION ALL `,
  )
}

export const numberInvariants: InvariantsOf<'numbers'> = {
  /** A counter is at least the highest number issued or skipped; otherwise it would issue a number twice. */
  'counter-behind': (condition) => sql<Impossible>`
    SELECT 'counter' AS subject_type, left(h.kind || ' ' || h.scope, 80) AS id, h.kind || ' · ' || h.scope AS label,
      coalesce(c.value, 0)::text AS stored, max(h.highest)::text AS derived,
      CASE h.kind WHEN 'virtual-account' THEN '/transaksi-va' ELSE '/settings/general' END AS path
    FROM (${highestNumbers(condition)}) h
    LEFT JOIN (SELECT kind, scope, value FROM number_counters UNION ALL SELECT 'school', '', last_value FROM pg_sequences
        WHERE schemaname = 'public' AND sequencename = 'school_provisional_numbers') c ON (c.kind, c.scope) = (h.kind, h.scope)
    GROUP BY h.kind, h.scope, c.value HAVING max(h.highest) > coalesce(c.value, 0)`,
}
