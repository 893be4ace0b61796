import { lockStandingBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { noteIssued } from '#server/modules/payments/bills/numbers/activate-number.ts'
import { findNumber } from '#server/modules/payments/bills/numbers/number-facts.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { raiseAlert } from '#server/modules/payments/money/alerts.ts'
import { bookPayment } from '#server/modules/payments/money/book-payment.ts'
import { findHeldAmount, storableAmount } from '#server/modules/payments/money/waiting/held-amounts.ts'
import { refuseReport } from '#server/modules/payments/providers/call-limits.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { keptHeaders } from '#server/modules/payments/providers/kept-headers.ts'
import type {
  PaymentProvider,
  RawReport,
  ReadReport,
  Refusal,
  ReportAnswer,
  ReportedPayment,
  ReportOutcome,
} from '#server/modules/payments/providers/provider.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { fitReport } from './fit-report.ts'

/** Stores a report in its own transaction before anything else, so that no report of a bank is ever lost. */
export async function keepReport(services: Services, provider: string, { headers, body }: RawReport): Promise<string> {
  const { id } = await services.db
    .insertInto('bankReports')
    .values({ provider, body, headers: keptHeaders(headers), receivedAt: services.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Ending = {
  outcome: string
  virtualAccountId?: string | null | undefined
  reference?: string | undefined
  read?: ReadReport | undefined
}

export function endReport({ db, clock }: Services, id: string, { outcome, virtualAccountId, reference, read }: Ending) {
  const payment = read?.kind === 'payment' ? read.payment : undefined
  return db
    .updateTable('bankReports')
    .set({
      outcome,
      answeredAt: clock.now(),
      ...(virtualAccountId && { virtualAccountId }),
      ...(reference && { reference }),
      ...(payment && {
        reference: payment.reference,
        number: payment.virtualAccountNumber,
        amount: storableAmount(payment.amount),
      }),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Receives a bank's report: checks the signature over the bytes, stores them, books them, and responds only after the
 * commit. After a server error the response makes the bank try again. Unsigned calls are stored apart, within limits.
 */
export async function receiveReport(services: Services, code: string, report: RawReport): Promise<ReportAnswer> {
  const provider = await findProvider(services, code)
  if (!provider) throw notFound('provider')
  const unsigned = provider.refuseUnsigned(report)
  if (unsigned) {
    await refuseReport(services, code, report, unsigned.kind)
    return provider.answer(unsigned.kind, { report, read: unsigned })
  }
  const id = await keepReport(services, code, report)
  let read: ReadReport | undefined
  let ended: Ended
  try {
    read = fitReport(await provider.readReport(report), services.clock.now())
    ended = await bookByKind(services, provider, id, read)
  } catch (error) {
    services.log.error({ err: error, bankReportId: id }, 'a payment report could not be booked')
    ended = { outcome: 'failed', ...(read && { read }) }
  }
  await endReport(services, id, ended)
  return provider.answer(ended.outcome, { report, ...ended })
}

/**
 * Ends an open code or link that its gateway ended, so that the next request makes another. The caller has locked the
 * bill. Numbers stay: their banks end them by their own clock.
 */
async function endCode(
  context: Omit<Context, 'actor'>,
  { banks }: PaymentProvider,
  { id, bank }: { id: string; bank: string },
) {
  const way = banks.find(({ code }) => code === bank)?.way ?? 'transfer'
  if (way !== 'transfer') await closeVirtualAccounts(context, { id }, 'expire')
}

type Ended = {
  outcome: ReportOutcome
  read?: ReadReport
  refusal?: Refusal
  first?: Buffer
  virtualAccountId?: string | null
  reference?: string
}

async function bookByKind(services: Services, provider: PaymentProvider, id: string, read: ReadReport): Promise<Ended> {
  const { db } = services
  if (read.kind === 'payment') {
    const booked = await inTransaction(services, systemActor, (context) =>
      bookReport(context, provider, read.payment, id),
    )
    return { read, ...booked }
  }
  if (read.kind === 'reversal') {
    const noted = await inTransaction(services, systemActor, (context) => noteReversal(context, provider, read, id))
    return { read, ...noted, reference: read.reference }
  }
  const about = 'virtualAccountId' in read && read.virtualAccountId
  const account = about ? await findNumber(db, provider.code, { number: '', virtualAccountId: about }) : undefined
  if (account && read.kind === 'ignored' && read.issued) await noteIssued(services, account.id, read.issued)
  if (account && read.kind === 'ignored' && read.ended)
    await inTransaction(services, systemActor, async (context) => {
      await lockStandingBill(context.tx, account.billId)
      await endCode(context, provider, account)
    })
  return { outcome: read.kind, read, ...(account && { virtualAccountId: account.id }) }
}

async function bookReport(
  context: Omit<Context, 'actor'>,
  provider: PaymentProvider,
  payment: ReportedPayment,
  reportId: string,
): Promise<Omit<Ended, 'read'>> {
  const { tx } = context
  const { refuses } = provider
  const refusal = refuses && (await findRefusal(context, { code: provider.code, refuses }, payment))
  if (refusal) return { outcome: 'refused', ...refusal }
  const outcome = await bookPayment(context, provider, payment, { bankReportId: reportId })
  if (outcome === 'held') {
    const held = await findHeldAmount(tx, provider.code, payment.reference)
    return { outcome, virtualAccountId: held?.virtualAccountId ?? null }
  }
  const booked = await bookedAs(tx, provider.code, payment.reference)
  if (outcome === 'contradicts')
    await raiseAlert(context, {
      kind: 'contradicts',
      provider: provider.code,
      providerReference: payment.reference,
      virtualAccountId: booked?.virtualAccountId,
      paymentId: booked?.id,
      bankReportId: reportId,
      amount: storableAmount(payment.amount) ?? undefined,
    })
  return {
    outcome,
    virtualAccountId: booked?.virtualAccountId ?? null,
    ...(outcome === 'repeated' && booked?.body && { first: booked.body }),
  }
}

const bookedAs = (tx: Tx, provider: string, reference: string) =>
  tx
    .selectFrom('payments as p')
    .leftJoin('bankReports as r', 'r.id', 'p.bankReportId')
    .select(['p.id', 'p.virtualAccountId', 'p.accountId', 'r.body'])
    .where('p.provider', '=', provider)
    .where('p.providerReference', '=', reference)
    .executeTakeFirst()

/** Why the bank is asked to return a payment; null to book it. A booked payment is never refused afterwards. */
async function findRefusal(
  { tx, services }: Omit<Context, 'actor'>,
  provider: Required<Pick<PaymentProvider, 'code' | 'refuses'>>,
  payment: ReportedPayment,
) {
  const numberNames = { number: payment.virtualAccountNumber, virtualAccountId: payment.virtualAccountId }
  const before = await findNumber(tx, provider.code, numberNames)
  if (before) await lockStandingBill(tx, before.billId)
  const account = before && (await findNumber(tx, provider.code, numberNames))
  if (await bookedAs(tx, provider.code, payment.reference)) return null
  const facts = { account: account ?? null, remaining: account?.remaining ?? 0, now: services.clock.now() }
  const refusal = provider.refuses(payment, facts)
  return refusal && { refusal, virtualAccountId: account?.id ?? null }
}

/**
 * Handles the bank's report that money did not arrive after all. The bill stays unchanged and staff have to check: a
 * failure never reverses a booked payment by itself. If the payment is reported only later, it waits.
 */
async function noteReversal(
  context: Omit<Context, 'actor'>,
  provider: PaymentProvider,
  { reference, virtualAccountId }: { reference: string; virtualAccountId?: string },
  reportId: string,
): Promise<Omit<Ended, 'read'>> {
  const { tx } = context
  const { code } = provider
  const account = virtualAccountId ? await findNumber(tx, code, { number: '', virtualAccountId }) : undefined
  if (account) {
    await lockStandingBill(tx, account.billId)
    await endCode(context, provider, account)
  }
  const payment = await bookedAs(tx, code, reference)
  const about = payment?.virtualAccountId ?? account?.id ?? null
  if (!payment) {
    // Written under the lock of the bill, so that a payment booked next finds this report.
    await tx
      .updateTable('bankReports')
      .set({ outcome: 'reversed_early', reference, virtualAccountId: about })
      .where('id', '=', reportId)
      .execute()
    return { outcome: 'reversed_early', virtualAccountId: about }
  }
  await raiseAlert(context, {
    kind: 'reversed_by_bank',
    provider: code,
    providerReference: reference,
    virtualAccountId: about,
    paymentId: payment.id,
    bankReportId: reportId,
  })
  return { outcome: 'reversed', virtualAccountId: about }
}
