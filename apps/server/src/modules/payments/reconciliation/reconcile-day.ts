import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import { mustGet } from '#domain/must.ts'
import { type DifferenceKind, dayTolerance } from '#domain/payments/reconciliation/reconciliation.ts'
import { senOf } from '#domain/payments/reconciliation/sen.ts'
import { manualProvider } from '#server/modules/payments/money/enter/manual-payment.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'
import { arrivesOn, type OwnAccount, statementProvider } from './account-queue.ts'
import { namesIn } from './statements/statement-values.ts'
import { type UnbookedReport, unbookedReports } from './unbooked-reports.ts'

/** A payment of the books that should arrive on an account. */
type Booked = {
  id: string
  day: string
  amount: number
  provider: string
  providerReference: string
  reference: string | null
  virtualAccountNumber: string | null
  reversed: boolean
  lineId: string | null
  lineAmountSen: number | null
  lineReason: string | null
  lineSettledBy: string | null
  lineSettledAt: Date | null
}

type Line = {
  id: string
  day: string
  amountSen: number
  reference: string
  description: string
  reversal: boolean
  state: string
}

type Found = {
  kind: DifferenceKind
  subject: string
  label: string
  paymentId?: string
  statementLineId?: string
  bankReportId?: string
  ledgerAmount?: number | null
  reportedAmount?: number | null
  statementAmountSen?: number | null
  /** Set if the difference is explained at its source and needs no second settlement. */
  settled?: { by: string; at: Date; reason: string }
}

async function bookedOn({ tx }: Omit<Context, 'actor'>, account: OwnAccount, from: string, to: string) {
  const { rows } = await sql<Booked>`
    SELECT p.id, to_char(p.paid_at AT TIME ZONE ${bankCalendar.timeZone}::text, 'YYYY-MM-DD') AS day, p.amount, p.provider,
      p.provider_reference, p.reference, p.virtual_account_number, p.status = 'reversed' AS reversed,
      l.id AS line_id, l.amount_sen AS line_amount_sen, l.reason AS line_reason, l.settled_by AS line_settled_by,
      l.settled_at AS line_settled_at
    FROM payments p
    LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
    LEFT JOIN statement_lines l ON l.payment_id = p.id
    WHERE p.paid_at >= ${bankCalendar.boundsOfDay(from)[0]} AND p.paid_at < ${bankCalendar.boundsOfDay(to)[1]}
      AND (l.bank_account_id = ${account.id} OR (l.id IS NULL AND p.status <> 'reversed' AND ${arrivesOn(account)}))
    ORDER BY p.paid_at, p.id`.execute(tx)
  return rows
}

const openLines = (tx: Tx, account: OwnAccount, from: string, to: string): Promise<Line[]> =>
  tx
    .selectFrom('statementLines')
    .select(['id', 'day', 'amountSen', 'reference', 'description', 'reversal', 'state'])
    .where('bankAccountId', '=', account.id)
    .where('state', 'in', ['new', 'held', 'explained'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('id')
    .execute()

const labelOf = ({ provider, providerReference, reference, virtualAccountNumber }: Booked) =>
  [virtualAccountNumber, bankReferenceOf({ provider, reference, providerReference })]
    .filter(Boolean)
    .join(' · ')
    .slice(0, 200) || provider

const nearby = (one: string, other: string) =>
  one >= shiftDay(other, -dayTolerance) && one <= shiftDay(other, dayTolerance)

const linesAtOnce = 500

/** Credits that name one payment of another amount: they belong together but differ. */
async function sameReference(lines: readonly Line[], payments: readonly Booked[]) {
  const named = new Map<string, Booked[]>()
  for (const payment of payments.filter(({ lineId }) => lineId === null))
    for (const name of new Set([payment.providerReference, payment.reference]))
      if (name) named.set(name.toLowerCase(), [...(named.get(name.toLowerCase()) ?? []), payment])
  if (named.size === 0) return []
  const pairs: { line: Line; payment: Booked }[] = []
  const open = lines.filter(({ state, amountSen }) => state === 'new' && amountSen > 0)
  for (const [at, line] of open.entries()) {
    const words = new Set([...namesIn(line.reference, line.description).references, line.reference.toLowerCase()])
    const meant = new Set([...words].flatMap((word) => named.get(word) ?? []))
    for (const payment of meant) if (nearby(line.day, payment.day)) pairs.push({ line, payment })
    // Lets other requests run: a day may have 200,000 lines.
    if (at % linesAtOnce === linesAtOnce - 1) await breathe()
  }
  const ofLine = Map.groupBy(pairs, ({ line }) => line)
  const ofPayment = Map.groupBy(pairs, ({ payment }) => payment)
  return pairs.filter(
    ({ line, payment }) => mustGet(ofLine, line).length === 1 && mustGet(ofPayment, payment).length === 1,
  )
}

/**
 * Compares the books, the provider and the statement for one day of an account and stores the result. A repeated
 * comparison keeps settlements: a difference that disappeared is closed as agreeing, a difference that reappeared is
 * open again. A credit counts for the day of its payment. The caller has locked the account's row.
 */
async function reconcileDay(context: Omit<Context, 'actor'>, actor: Actor | null, account: OwnAccount, day: string) {
  const { tx, services } = context
  const now = services.clock.now()
  const [before, after] = [shiftDay(day, -dayTolerance), shiftDay(day, dayTolerance)]
  const around = await bookedOn(context, account, before, after)
  const lines = await openLines(tx, account, before, after)
  const covered = await tx
    .selectFrom('statementImports')
    .select('id')
    .where('bankAccountId', '=', account.id)
    .where('firstDay', '<=', day)
    .where('lastDay', '>=', day)
    .executeTakeFirst()
  const reports = await unbookedReports(context, account, day)

  const booked = around.filter((payment) => payment.day === day)
  const live = booked.filter(({ reversed }) => !reversed)
  const pairs = await sameReference(lines, around)
  const paired = pairs.filter(({ payment }) => payment.day === day)
  const pairedLines = new Set(pairs.map(({ line }) => line.id))
  const pairedPayments = new Set(pairs.map(({ payment }) => payment.id))
  const credits = lines.filter((line) => line.day === day && line.amountSen > 0 && line.state !== 'held')
  const held = lines.filter((line) => line.day === day && line.state === 'held')
  const loose = credits.filter(({ state, id }) => state === 'new' && !pairedLines.has(id))
  const takenBack = lines.filter(
    (line) => line.day === day && line.state === 'new' && line.reversal && line.amountSen < 0,
  )

  const found: Found[] = [
    ...loose.map((line) => ofLine('not_in_ledger', line)),
    ...takenBack.map((line) => ofLine('taken_back', line)),
    ...held.map((line) => ({ ...ofLine('line_held', line), subject: `held:${line.id}` })),
    ...paired.map(({ line, payment }) => ({
      kind: 'amount_differs' as const,
      subject: `payment:${payment.id}`,
      label: labelOf(payment),
      paymentId: payment.id,
      statementLineId: line.id,
      ledgerAmount: payment.amount,
      statementAmountSen: line.amountSen,
    })),
    ...booked.flatMap((payment) => ofPayment(payment, covered !== undefined && !pairedPayments.has(payment.id))),
    ...reports.map(ofReport),
  ]

  const onStatement = [
    ...booked.flatMap(({ lineAmountSen }) => lineAmountSen ?? []),
    ...loose.map(({ amountSen }) => amountSen),
    ...paired.map(({ line }) => line.amountSen),
  ]
  const reported = live.filter(({ provider }) => provider !== manualProvider && provider !== statementProvider)
  const values = {
    ledgerCount: live.length,
    ledgerTotal: total(live.map(({ amount }) => amount)),
    reportedCount: reported.length + reports.length,
    reportedTotal: total([...reported.map(({ amount }) => amount), ...reports.map(({ amount }) => amount ?? 0)]),
    statementCount: onStatement.length,
    statementTotalSen: total(onStatement),
    explainedTotalSen: total(credits.filter(({ state }) => state === 'explained').map(({ amountSen }) => amountSen)),
    hasStatement: covered !== undefined,
    computedAt: now,
  }
  const { id } = await tx
    .insertInto('reconciliationDays')
    .values({ bankAccountId: account.id, day, ...values })
    .onConflict((oc) => oc.columns(['bankAccountId', 'day']).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow()
  await keepDifferences(tx, id, found, now, actor)
  await countDifferences(tx, id)
  return id
}

const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

const ofLine = (kind: DifferenceKind, line: Line): Found => ({
  kind,
  subject: `line:${line.id}`,
  label: ([line.reference, line.description].filter(Boolean).join(' · ') || line.day).slice(0, 200),
  statementLineId: line.id,
  statementAmountSen: line.amountSen,
})

function ofPayment(payment: Booked, missing: boolean): Found[] {
  const { id, amount, lineId, lineAmountSen, lineReason, lineSettledBy, lineSettledAt, reversed } = payment
  const about = { label: labelOf(payment), paymentId: id, ...(lineId && { statementLineId: lineId }) }
  if (lineId && reversed)
    return [{ ...about, kind: 'not_in_ledger', subject: `line:${lineId}`, statementAmountSen: lineAmountSen }]
  if (lineId && lineAmountSen !== senOf(amount))
    return [
      {
        ...about,
        kind: 'amount_differs',
        subject: `matched:${lineId}:${id}`,
        ledgerAmount: amount,
        statementAmountSen: lineAmountSen,
        ...(lineReason &&
          lineSettledBy &&
          lineSettledAt && { settled: { by: lineSettledBy, at: lineSettledAt, reason: lineReason } }),
      },
    ]
  if (lineId || reversed || !missing) return []
  return [{ ...about, kind: 'not_in_statement', subject: `payment:${id}`, ledgerAmount: amount }]
}

const ofReport = ({ id, provider, reference, amount, booked, paymentId }: UnbookedReport): Found => ({
  kind: booked === null ? 'reported_not_booked' : 'report_contradicts',
  subject: reference ? `report:${provider}:${reference}:${amount}` : `report:${id}`,
  label: [provider, reference].filter(Boolean).join(' · ').slice(0, 200),
  bankReportId: id,
  ...(paymentId && { paymentId }),
  ledgerAmount: booked,
  reportedAmount: amount,
})

const differencesAtOnce = 1_000

async function keepDifferences(
  tx: Tx,
  reconciliationDayId: string,
  found: readonly Found[],
  now: Date,
  actor: Actor | null,
) {
  // A settlement with a reason stays, unless the difference was explained at its source since.
  const settlementOf = (name: string) => {
    const column = sql.ref(name)
    return sql`${column} = CASE WHEN excluded.settled_at IS NULL AND x.settled_how = 'reason' THEN x.${column} ELSE excluded.${column} END`
  }
  for (let at = 0; at < found.length; at += differencesAtOnce) {
    const some = found.slice(at, at + differencesAtOnce)
    const column = <T>(of: (one: Found) => T | null | undefined) => some.map((one) => of(one) ?? null)
    await sql`
      INSERT INTO reconciliation_differences AS x (reconciliation_day_id, kind, subject, label, payment_id, statement_line_id,
        bank_report_id, ledger_amount, reported_amount, statement_amount_sen, found_at, settled_at, settled_by, settled_how, reason)
      SELECT ${reconciliationDayId}::uuid, f.kind, f.subject, f.label, f.payment_id, f.line_id, f.report_id, f.ledger, f.reported,
        f.statement, ${now}::timestamptz, f.settled_at, f.settled_by, CASE WHEN f.settled_at IS NOT NULL THEN 'reason' END, f.reason
      FROM unnest(${column(({ kind }) => kind)}::text[], ${column(({ subject }) => subject)}::text[],
        ${column(({ label }) => label)}::text[], ${column(({ paymentId }) => paymentId)}::uuid[],
        ${column(({ statementLineId }) => statementLineId)}::uuid[], ${column(({ bankReportId }) => bankReportId)}::uuid[],
        ${column(({ ledgerAmount }) => ledgerAmount)}::bigint[], ${column(({ reportedAmount }) => reportedAmount)}::bigint[],
        ${column(({ statementAmountSen }) => statementAmountSen)}::bigint[],
        ${column(({ settled }) => settled?.at)}::timestamptz[], ${column(({ settled }) => settled?.by)}::uuid[],
        ${column(({ settled }) => settled?.reason)}::text[])
        AS f (kind, subject, label, payment_id, line_id, report_id, ledger, reported, statement, settled_at, settled_by, reason)
      ON CONFLICT (reconciliation_day_id, kind, subject) DO UPDATE SET label = excluded.label, payment_id = excluded.payment_id,
        statement_line_id = excluded.statement_line_id, bank_report_id = excluded.bank_report_id,
        ledger_amount = excluded.ledger_amount, reported_amount = excluded.reported_amount,
        statement_amount_sen = excluded.statement_amount_sen,
${sql.join(['settled_at', 'settled_by', 'settled_how', 'reason'].map(settlementOf))}`.execute(tx)
  }
  const still = found.map(({ kind, subject }) => `${kind} ${subject}`)
  await sql`UPDATE reconciliation_differences SET settled_at = ${now}, settled_how = 'agrees', settled_by = ${actor?.accountId || null}
    WHERE reconciliation_day_id = ${reconciliationDayId} AND settled_at IS NULL
      AND NOT EXISTS (SELECT FROM unnest(${still}::text[]) AS f (name) WHERE f.name = kind || ' ' || subject)`.execute(
    tx,
  )
}

/** Stores in a day's row how many differences it has and how many are open. */
export const countDifferences = (tx: Tx, id: string) =>
  sql`UPDATE reconciliation_days d SET differences = n.all, open_differences = n.open
    FROM (SELECT count(*)::int AS all, (count(*) FILTER (WHERE settled_at IS NULL))::int AS open
      FROM reconciliation_differences WHERE reconciliation_day_id = ${id}) n WHERE d.id = ${id}`.execute(tx)

/**
 * Compares some days of an account; future days are skipped. `actor` is the account that settled something; null for
 * jobs.
 */
export async function reconcileDays(
  context: Omit<Context, 'actor'>,
  actor: Actor | null,
  account: OwnAccount,
  days: readonly string[],
): Promise<string[]> {
  const { services } = context
  const now = services.clock.now()
  const today = bankCalendar.dayOf(now)
  const ids: string[] = []
  for (const day of [...new Set(days)].filter((one) => one <= today).toSorted())
    ids.push(await reconcileDay(context, actor, account, day))
  return ids
}
