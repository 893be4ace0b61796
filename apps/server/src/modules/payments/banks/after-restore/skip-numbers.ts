import { type NotNull, type RawBuilder, sql } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import { anyScope, type CounterKind } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import { sandboxBanks } from '#domain/payments/providers/sandbox-banks.ts'
import { paperReceiptNumber, payoutNumber, refundNumber } from '#domain/settings/number-templates.ts'
import { sandboxCode } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import type { Counter } from '#server/platform/backup/restore-backup.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { kindsWithLateScopes } from '#server/platform/database/numbers.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import { numbersToSkip } from './numbers-to-skip.ts'

export type Skipping = {
  restoreId: string
  backupAt: Date
  now: Date
  /** Counters of the database that the backup replaced. */
  countersBefore: readonly Counter[]
}

export type Gap = { kind: CounterKind; scope: string; first: number; last: number; requested: number }

/** Whether a gap skips fewer numbers than requested, because too few digits are left. */
export const isShort = ({ first, last, requested }: Pick<Gap, 'first' | 'last' | 'requested'>) =>
  last - first + 1 < requested

/**
 * Moves every counter past all numbers that may have been issued since the backup, and stores the gaps. Counters of a
 * year or bank without one at the backup also start behind their gap.
 */
export async function skipNumbers(tx: Tx, skipping: Skipping): Promise<Gap[]> {
  const settings = await getSettings(tx)
  const busiest = await busiestDays(tx, settings)
  const banks = await banksWithNumbers(tx)
  const counters = await countersToMove(tx, skipping, settings, banks)
  const daysSince = (skipping.now.getTime() - skipping.backupAt.getTime()) / 86_400_000
  const largest = (kind: CounterKind, scope: string) =>
    kind === 'virtual-account'
      ? (banks.find(({ code }) => code === scope)?.many ?? Number.POSITIVE_INFINITY)
      : largestOf(kind, settings)

  const gaps = counters.map(({ kind, scope, value }): Gap => {
    const busiestDay = busiest(kind, scope)
    const most = largest(kind, scope)
    // A counter that already exceeds its template's digits continues without a limit.
    const left = kind !== 'virtual-account' && value >= most ? Number.POSITIVE_INFINITY : most - value
    const { requested, skipped } = numbersToSkip({ kind, busiestDay, daysSince, left })
    const before = skipping.countersBefore.find((one) => one.kind === kind && one.scope === scope)?.value ?? 0
    return { kind, scope, first: value + 1, last: Math.max(value + skipped, before), requested }
  })
  for (const kind of kindsWithLateScopes) {
    const left = kind === 'virtual-account' ? Number.POSITIVE_INFINITY : largestOf(kind, settings)
    const { requested, skipped } = numbersToSkip({ kind, busiestDay: busiest(kind), daysSince, left })
    gaps.push({ kind, scope: anyScope, first: 1, last: skipped, requested })
  }
  await write(tx, skipping, gaps)
  return gaps
}

/** The largest number that fits the template's digits. */
function largestOf(kind: CounterKind, settings: Settings): number {
  const templates: Partial<Record<CounterKind, string>> = {
    registration: settings.registrationNumber,
    student: settings.studentNumber,
    bill: settings.billNumber,
    receipt: settings.receiptNumber,
    refund: refundNumber,
    'paper-receipt': paperReceiptNumber,
    payout: payoutNumber,
    school: '{SEQ:6}',
  }
  const digits = /\{SEQ:(\d+)\}/.exec(templates[kind] ?? '')?.[1]
  return digits ? 10 ** Number(digits) - 1 : Number.POSITIVE_INFINITY
}

type BankRange = {
  code: string
  provider: string
  demo: boolean
  prefix: string
  digits: number
  first: number
  many: number
}

/** Banks whose numbers the portal makes, each with the size of its range. */
export async function banksWithNumbers(tx: Tx): Promise<BankRange[]> {
  const rows = await tx
    .selectFrom('providerBanks as b')
    .innerJoin('providerAccounts as a', 'a.id', 'b.providerAccountId')
    .select(['b.code', 'a.code as provider', 'b.prefix', 'b.customerDigits', 'b.firstNumber', 'b.lastNumber'])
    .where('b.prefix', 'is not', null)
    .$narrowType<{ prefix: NotNull }>()
    .execute()
  return [
    ...rows.map(({ code, provider, prefix, customerDigits: digits, firstNumber: first, lastNumber }) => ({
      code,
      provider,
      demo: false,
      prefix,
      digits,
      first,
      many: (lastNumber ?? 10 ** digits - 1) - first + 1,
    })),
    ...sandboxBanks.map(({ code, prefix, digits, first, last }) => ({
      code,
      provider: sandboxCode,
      demo: true,
      prefix,
      digits,
      first,
      many: last - first + 1,
    })),
  ]
}

/**
 * Most numbers of a kind issued on one day in the university's time zone; for transfer numbers per bank, if a bank is
 * named.
 */
async function busiestDays(tx: Tx, { timeZone }: Settings) {
  const perDay = (
    kind: CounterKind,
    scope: RawBuilder<unknown>,
    at: RawBuilder<unknown>,
    from: RawBuilder<unknown>,
  ) => sql`
    SELECT ${kind}::text AS kind, ${scope}::text AS scope, count(*) AS many FROM ${from}
    GROUP BY 2, (${at} AT TIME ZONE ${timeZone}::text)::date`
  const none = sql`''`
  const { rows } = await sql<{ kind: string; scope: string; many: number }>`
    SELECT kind, scope, max(many)::int AS many FROM (${sql.join(
      [
        perDay('registration', none, sql`created_at`, sql`registrations`),
        perDay('student', none, sql`issued_at`, sql`every_student_number`),
        perDay('bill', none, sql`issued_at`, sql`bills`),
        perDay('receipt', none, sql`received_at`, sql`payments WHERE receipt_number IS NOT NULL`),
        perDay('refund', none, sql`created_at`, sql`refunds`),
        perDay('virtual-account', sql`bank`, sql`created_at`, sql`virtual_accounts`),
        perDay('school', none, sql`created_at`, sql`schools WHERE npsn LIKE 'NP%'`),
        perDay('letter', none, sql`issued_at`, sql`letters`),
        perDay('paper-receipt', none, sql`received_at`, sql`paper_receipts`),
        perDay('payout', none, sql`created_at`, sql`payout_runs`),
      ],
      sql` UNION ALL `,
    )}) days GROUP BY 1, 2`.execute(tx)
  return (kind: CounterKind, scope?: string) =>
    rows
      .filter((row) => row.kind === kind && (kind !== 'virtual-account' || scope === undefined || row.scope === scope))
      .reduce((most, { many }) => Math.max(most, many), 0)
}

type Moved = { kind: CounterKind; scope: string; value: number }

/**
 * Every counter of the backup, further counters of the replaced database, and counters of years and banks that it may
 * have started.
 */
async function countersToMove(
  tx: Tx,
  { backupAt, now, countersBefore }: Skipping,
  { timeZone }: Settings,
  banks: readonly BankRange[],
): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    SELECT kind, scope, value FROM number_counters
    UNION ALL SELECT 'school', '', coalesce(last_value, 0) FROM pg_sequences
    WHERE schemaname = 'public' AND sequencename = 'school_provisional_numbers'`.execute(tx)
  const moved = new Map(rows.map((row) => [`${row.kind} ${row.scope}`, row]))
  const begin = (kind: string, scope: string) => {
    const key = `${kind} ${scope}`
    if (!moved.has(key)) moved.set(key, { kind: kind as CounterKind, scope, value: 0 })
  }
  const yearOf = (at: Date) => Number(calendarOf(timeZone).yearOf(at))
  for (let year = yearOf(backupAt); year <= yearOf(now); year++)
    for (const kind of ['bill', 'receipt', 'refund', 'paper-receipt', 'payout']) begin(kind, String(year))
  for (const { code, demo } of banks) if (!demo) begin('virtual-account', code)
  for (const { kind, scope } of countersBefore) begin(kind, scope)
  return [...moved.values()]
}

async function write(tx: Tx, { restoreId, now }: Skipping, gaps: readonly Gap[]) {
  await tx
    .insertInto('numberGaps')
    .values(
      gaps.map(({ kind, scope, first, last, requested }) => ({
        restoreId,
        kind,
        scope,
        firstNumber: first,
        lastNumber: last,
        wanted: requested,
        lostAt: now,
      })),
    )
    .execute()
  for (const { kind, scope, last } of gaps) {
    if (scope === anyScope || last === 0) continue
    if (kind === 'school') await sql`SELECT setval('school_provisional_numbers', ${last}::bigint)`.execute(tx)
    else
      await tx
        .insertInto('numberCounters')
        .values({ kind, scope, value: last })
        .onConflict((oc) => oc.columns(['kind', 'scope']).doUpdateSet({ value: last }))
        .execute()
  }
  // Ids of the audit log are printed on paper, so an id must never name another entry.
  await sql`SELECT setval(pg_get_serial_sequence('audit_log', 'id'), (SELECT coalesce(max(id), 0) FROM audit_log) + 1000000)`.execute(
    tx,
  )
}
