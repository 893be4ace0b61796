import type { Tx } from '#server/platform/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { issuesOfText } from '#server/platform/unreadable-text.ts'
import { raiseAlert } from './alerts.ts'
import { bookPayment } from './book-payment.ts'
import { findNumber } from './number-facts.ts'
import { findProvider } from './providers/index.ts'
import type {
  PaymentProvider,
  RawReport,
  ReadReport,
  Refusal,
  ReportAnswer,
  ReportedPayment,
  ReportOutcome,
} from './providers/provider.ts'
import { lockStandingBill } from './standing-bill.ts'

/** Headers worth keeping beside the bytes; secrets that arrive in them are not. */
const keptHeaders = (headers: RawReport['headers']) => {
  const { authorization: _a, cookie: _c, 'x-callback-token': _t, ...kept } = headers
  return JSON.stringify(kept)
}

/** Stores what a bank sent before anything else is done with it, on its own, so that nothing a bank says is ever lost. */
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
  const told = read?.kind === 'payment' ? read.payment : undefined
  return db
    .updateTable('bankReports')
    .set({
      outcome,
      answeredAt: clock.now(),
      ...(virtualAccountId && { virtualAccountId }),
      ...(reference && { reference }),
      ...(told && { reference: told.reference, number: told.virtualAccountNumber, amount: told.amount }),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Takes a bank's report: the bytes are stored first; then they are checked, booked, and answered only after the commit.
 * A failure of ours is answered so that the bank tries again.
 */
export async function receiveReport(services: Services, code: string, report: RawReport): Promise<ReportAnswer> {
  const provider = await findProvider(services, code)
  if (!provider) throw notFound('provider')
  const id = await keepReport(services, code, report)
  let read: ReadReport | undefined
  let ended: Ended
  try {
    read = asStorable(await provider.readReport(report))
    ended = await act(services, provider, id, read)
  } catch (error) {
    services.log.error({ err: error, bankReportId: id }, 'a payment report could not be booked')
    ended = { outcome: 'failed', ...(read && { read }) }
  }
  await endReport(services, id, ended)
  return provider.answer(ended.outcome, { report, ...ended })
}

/** Years in which a bank may have received money. */
const firstYear = 2000
const lastYear = 2199

/** Text or a time that no column takes would fail again however often the bank repeats it: such a report is not understood. */
function asStorable(read: ReadReport): ReadReport {
  if (read.kind !== 'payment' && read.kind !== 'reversal') return read
  const year = read.kind === 'payment' ? read.payment.paidAt.getUTCFullYear() : firstYear
  return issuesOfText(read).length === 0 && year >= firstYear && year <= lastYear ? read : { kind: 'malformed' }
}

type Ended = {
  outcome: ReportOutcome
  read?: ReadReport
  refusal?: Refusal
  first?: Buffer
  virtualAccountId?: string | null
  reference?: string
}

async function act(services: Services, provider: PaymentProvider, id: string, read: ReadReport): Promise<Ended> {
  const { db } = services
  if (read.kind === 'payment') {
    const booked = await db.transaction().execute((tx) => bookReport(tx, services, provider, read.payment, id))
    return { read, ...booked }
  }
  if (read.kind === 'reversal') {
    const noted = await db.transaction().execute((tx) => noteReversal(tx, services, provider, read, id))
    return { read, ...noted, reference: read.reference }
  }
  const about = 'virtualAccountId' in read && read.virtualAccountId
  const account = about ? await findNumber(db, provider.code, { number: '', virtualAccountId: about }) : undefined
  return { outcome: read.kind, read, ...(account && { virtualAccountId: account.id }) }
}

async function bookReport(
  tx: Tx,
  services: Services,
  provider: PaymentProvider,
  payment: ReportedPayment,
  reportId: string,
): Promise<Omit<Ended, 'read'>> {
  const refusal = provider.refuses && (await findRefusal(tx, services, provider, payment))
  if (refusal) return { outcome: 'refused', ...refusal }
  const outcome = await bookPayment(tx, services, provider.code, payment, reportId)
  const booked = await bookedAs(tx, provider.code, payment.reference)
  if (outcome === 'contradicts')
    await raiseAlert(tx, services, {
      kind: 'contradicts',
      provider: provider.code,
      providerReference: payment.reference,
      virtualAccountId: booked?.virtualAccountId,
      paymentId: booked?.id,
      bankReportId: reportId,
      amount: payment.amount,
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

/** Whether the bank is asked to give a payment back; one that was booked is never refused afterwards. */
async function findRefusal(tx: Tx, services: Services, provider: PaymentProvider, payment: ReportedPayment) {
  const named = { number: payment.virtualAccountNumber, virtualAccountId: payment.virtualAccountId }
  const before = await findNumber(tx, provider.code, named)
  if (before) await lockStandingBill(tx, before.billId)
  const account = before && (await findNumber(tx, provider.code, named))
  if (await bookedAs(tx, provider.code, payment.reference)) return null
  const facts = { account: account ?? null, remaining: account?.remaining ?? 0, now: services.clock.now() }
  const refusal = provider.refuses!(payment, facts)
  return refusal && { refusal, virtualAccountId: account?.id ?? null }
}

/**
 * The bank says that money it told of did not arrive. The bill stays as it is and a person looks: a failure never takes
 * a booked payment back by itself. Told before the payment, it makes the payment wait when it comes.
 */
async function noteReversal(
  tx: Tx,
  services: Services,
  { code }: PaymentProvider,
  { reference, virtualAccountId }: { reference: string; virtualAccountId?: string },
  reportId: string,
): Promise<Omit<Ended, 'read'>> {
  const account = virtualAccountId ? await findNumber(tx, code, { number: '', virtualAccountId }) : undefined
  if (account) await lockStandingBill(tx, account.billId)
  const payment = await bookedAs(tx, code, reference)
  const about = payment?.virtualAccountId ?? account?.id ?? null
  if (!payment) {
    // Written within the lock of the bill, so that a payment booked next to it finds it.
    await tx
      .updateTable('bankReports')
      .set({ outcome: 'reversed_early', reference, virtualAccountId: about })
      .where('id', '=', reportId)
      .execute()
    return { outcome: 'reversed_early', virtualAccountId: about }
  }
  await raiseAlert(tx, services, {
    kind: 'reversed_by_bank',
    provider: code,
    providerReference: reference,
    virtualAccountId: about,
    paymentId: payment.id,
    bankReportId: reportId,
  })
  return { outcome: 'reversed', virtualAccountId: about }
}
