import { sql } from 'kysely'
import { boundsOfDay, dayInJakarta, shiftDay } from '#domain/days.ts'
import { type DifferenceKind, dayTolerance } from '#domain/payments/reconciliation.ts'
import { namesIn } from '#domain/payments/statement-lines.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { manualProvider } from '../desk/manual-payment.ts'
import { arrivesOn, type OwnAccount, statementProvider } from './account-queue.ts'
import { type UnbookedReport, unbookedReports } from './unbooked-reports.ts'

/** A payment of the books that arrives, or arrived, on an account. */
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
  lineAmount: number | null
  lineReason: string | null
  lineSettledBy: string | null
  lineSettledAt: Date | null
}

type Line = {
  id: string
  day: string
  amount: number
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
  statementAmount?: number | null
  /** Explained where it was made, so nobody has to settle it again. */
  settled?: { by: string; at: Date; reason: string }
}

async function bookedOn(tx: Tx, _services: Services, account: OwnAccount, from: string, to: string) {
  const { rows } = await sql<Booked>`
    SELECT p.id, to_char(p.paid_at AT TIME ZONE 'Asia/Jakarta', 'YYYY-MM-DD') AS day, p.amount, p.provider,
      p.provider_reference, p.reference, p.virtual_account_number, p.status = 'reversed' AS reversed,
      l.id AS line_id, l.amount AS line_amount, l.reason AS line_reason, l.settled_by AS line_settled_by,
      l.settled_at AS line_settled_at
    FROM payments p
    LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
    LEFT JOIN statement_lines l ON l.payment_id = p.id
    WHERE p.paid_at >= ${boundsOfDay(from)[0]} AND p.paid_at < ${boundsOfDay(to)[1]}
      AND (l.bank_account_id = ${account.id} OR (l.id IS NULL AND p.status <> 'reversed' AND ${arrivesOn(account)}))
    ORDER BY p.paid_at, p.id`.execute(tx)
  return rows
}

const openLines = (tx: Tx, account: OwnAccount, from: string, to: string): Promise<Line[]> =>
  tx
    .selectFrom('statementLines')
    .select(['id', 'day', 'amount', 'reference', 'description', 'reversal', 'state'])
    .where('bankAccountId', '=', account.id)
    .where('state', '<>', 'matched')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('id')
    .execute()

const labelOf = ({ provider, providerReference, reference, virtualAccountNumber }: Booked) =>
  [virtualAccountNumber, provider === manualProvider || provider === statementProvider ? reference : providerReference]
    .filter(Boolean)
    .join(' · ')
    .slice(0, 200) || provider

const nearby = (one: string, other: string) =>
  one >= shiftDay(other, -dayTolerance) && one <= shiftDay(other, dayTolerance)

/** A credit that names a payment of another amount: they belong together, but not as they are. */
function sameReference(lines: readonly Line[], payments: readonly Booked[]) {
  const pairs = lines
    .filter(({ state, amount }) => state === 'new' && amount > 0)
    .flatMap((line) => {
      const words = new Set([...namesIn(line.reference, line.description).references, line.reference.toLowerCase()])
      return payments
        .filter(
          (payment) =>
            payment.lineId === null &&
            nearby(line.day, payment.day) &&
            [payment.providerReference, payment.reference].some((name) => name && words.has(name.toLowerCase())),
        )
        .map((payment) => ({ line, payment }))
    })
  return pairs.filter(
    (pair) => pairs.filter(({ line, payment }) => line === pair.line || payment === pair.payment).length === 1,
  )
}

/**
 * Compares the books, the provider and the statement for one day of an account and keeps the result. Computing again
 * keeps what was settled: a difference that is gone is closed as agreeing, one that is back is open again. A credit
 * counts for the day of the payment it belongs to. The account's row is locked by the caller.
 */
async function reconcileDay(tx: Tx, services: Services, actor: Actor | null, account: OwnAccount, day: string) {
  const now = services.clock.now()
  const [before, after] = [shiftDay(day, -dayTolerance), shiftDay(day, dayTolerance)]
  const around = await bookedOn(tx, services, account, before, after)
  const lines = await openLines(tx, account, before, after)
  const covered = await tx
    .selectFrom('statementImports')
    .select('id')
    .where('bankAccountId', '=', account.id)
    .where('firstDay', '<=', day)
    .where('lastDay', '>=', day)
    .executeTakeFirst()
  const reports = await unbookedReports(tx, services, account, day)

  const booked = around.filter((payment) => payment.day === day)
  const live = booked.filter(({ reversed }) => !reversed)
  const pairs = sameReference(lines, around)
  const paired = pairs.filter(({ payment }) => payment.day === day)
  const pairedLines = new Set(pairs.map(({ line }) => line.id))
  const pairedPayments = new Set(pairs.map(({ payment }) => payment.id))
  const credits = lines.filter((line) => line.day === day && line.amount > 0)
  const loose = credits.filter(({ state, id }) => state === 'new' && !pairedLines.has(id))
  const takenBack = lines.filter((line) => line.day === day && line.state === 'new' && line.reversal && line.amount < 0)

  const found: Found[] = [
    ...loose.map((line) => ofLine('not_in_ledger', line)),
    ...takenBack.map((line) => ofLine('taken_back', line)),
    ...paired.map(({ line, payment }) => ({
      kind: 'amount_differs' as const,
      subject: `payment:${payment.id}`,
      label: labelOf(payment),
      paymentId: payment.id,
      statementLineId: line.id,
      ledgerAmount: payment.amount,
      statementAmount: line.amount,
    })),
    ...booked.flatMap((payment) => ofPayment(payment, covered !== undefined && !pairedPayments.has(payment.id))),
    ...reports.map(ofReport),
  ]

  const matched = booked.filter(({ lineId }) => lineId !== null)
  const onStatement = [
    ...matched.map(({ lineAmount }) => lineAmount!),
    ...loose.map(({ amount }) => amount),
    ...paired.map(({ line }) => line.amount),
  ]
  const reported = live.filter(({ provider }) => provider !== manualProvider && provider !== statementProvider)
  const values = {
    ledgerCount: live.length,
    ledgerTotal: total(live.map(({ amount }) => amount)),
    reportedCount: reported.length + reports.length,
    reportedTotal: total([...reported.map(({ amount }) => amount), ...reports.map(({ amount }) => amount ?? 0)]),
    statementCount: onStatement.length,
    statementTotal: total(onStatement),
    explainedTotal: total(credits.filter(({ state }) => state === 'explained').map(({ amount }) => amount)),
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
  statementAmount: line.amount,
})

function ofPayment(payment: Booked, missing: boolean): Found[] {
  const { id, amount, lineId, lineAmount, lineReason, lineSettledBy, lineSettledAt, reversed } = payment
  const about = { label: labelOf(payment), paymentId: id, ...(lineId && { statementLineId: lineId }) }
  if (lineId && reversed)
    return [{ ...about, kind: 'not_in_ledger', subject: `line:${lineId}`, statementAmount: lineAmount }]
  if (lineId && lineAmount !== amount)
    return [
      {
        ...about,
        kind: 'amount_differs',
        subject: `matched:${lineId}:${id}`,
        ledgerAmount: amount,
        statementAmount: lineAmount,
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

async function keepDifferences(
  tx: Tx,
  reconciliationDayId: string,
  found: readonly Found[],
  now: Date,
  actor: Actor | null,
) {
  for (const { settled, ...difference } of found) {
    const row = {
      paymentId: null,
      statementLineId: null,
      bankReportId: null,
      ledgerAmount: null,
      reportedAmount: null,
      statementAmount: null,
      ...difference,
    }
    const { kind: _kind, subject: _subject, ...facts } = row
    const settling = settled
      ? { settledAt: settled.at, settledBy: settled.by, settledHow: 'reason' as const, reason: settled.reason }
      : null
    await tx
      .insertInto('reconciliationDifferences')
      .values({ ...row, ...settling, reconciliationDayId, foundAt: now })
      .onConflict((oc) =>
        oc.columns(['reconciliationDayId', 'kind', 'subject']).doUpdateSet((eb) => {
          if (settling) return { ...facts, ...settling } as never
          const kept = (column: 'settledAt' | 'settledBy' | 'settledHow' | 'reason') =>
            eb
              .case()
              .when('reconciliationDifferences.settledHow', '=', 'reason')
              .then(eb.ref(`reconciliationDifferences.${column}`))
              .else(eb.ref(`excluded.${column}`))
              .end()
          return {
            ...facts,
            settledAt: kept('settledAt'),
            settledBy: kept('settledBy'),
            settledHow: kept('settledHow'),
            reason: kept('reason'),
          } as never
        }),
      )
      .execute()
  }
  const still = found.map(({ kind, subject }) => `${kind} ${subject}`)
  await sql`UPDATE reconciliation_differences SET settled_at = ${now}, settled_how = 'agrees', settled_by = ${actor?.accountId || null}
    WHERE reconciliation_day_id = ${reconciliationDayId} AND settled_at IS NULL
      AND NOT (kind || ' ' || subject = ANY(${still}::text[]))`.execute(tx)
}

/** How many differences a day has, and how many of them are open, as its row says. */
export const countDifferences = (tx: Tx, id: string) =>
  sql`UPDATE reconciliation_days d SET differences = n.all, open_differences = n.open
    FROM (SELECT count(*)::int AS all, (count(*) FILTER (WHERE settled_at IS NULL))::int AS open
      FROM reconciliation_differences WHERE reconciliation_day_id = ${id}) n WHERE d.id = ${id}`.execute(tx)

/** Compares some days of an account, none of them in the future. `actor` is who settled something, if anybody did. */
export async function reconcileDays(
  tx: Tx,
  services: Services,
  actor: Actor | null,
  account: OwnAccount,
  days: readonly string[],
): Promise<string[]> {
  const today = dayInJakarta(services.clock.now())
  const ids: string[] = []
  for (const day of [...new Set(days)].filter((one) => one <= today).toSorted())
    ids.push(await reconcileDay(tx, services, actor, account, day))
  return ids
}
