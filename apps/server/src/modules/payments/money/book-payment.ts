import type { Insertable } from 'kysely'
import { type BillStatus, isOwed, isSettled } from '#domain/payments/bills/bill-status.ts'
import { paymentTransitions, type WaitingReason } from '#domain/payments/bills/payment-status.ts'
import { allocateToBill, giveReceipt } from '#server/modules/payments/bills/change/allocate-to-bill.ts'
import type { Bill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockStandingBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { activatePaid } from '#server/modules/payments/bills/numbers/activate-number.ts'
import { type VirtualAccount, virtualAccountColumns } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { tellPayer } from '#server/modules/payments/bills/tell-payer.ts'
import type { PaymentProvider, ReportedPayment } from '#server/modules/payments/providers/provider.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'
import { answerAlert, raiseAlert } from './alerts.ts'
import { holdAmount } from './waiting/held-amounts.ts'

export type Booking = 'booked' | 'repeated' | 'contradicts' | 'held'

type BookingOptions = {
  /** Report of the payment; null if the portal asked the bank. */
  bankReportId: string | null
  /** Approved request to book an amount above the maximum. */
  approvalRequestId?: string
}

/**
 * Books a payment that a bank reported. Safe to repeat with the same report, at any time and from several servers: the
 * lock of the bill serialises calls, and the bank's transaction id is the unique key. Money that fits the bill is
 * allocated, the rest waits for staff. An amount above the connection's maximum is held instead.
 */
export async function bookPayment(
  context: Omit<Context, 'actor'>,
  { code: provider, maximumAmount }: Pick<PaymentProvider, 'code' | 'maximumAmount'>,
  reported: ReportedPayment,
  { bankReportId, approvalRequestId }: BookingOptions,
): Promise<Booking> {
  const { tx } = context
  const named = await findNamed(tx, provider, reported)
  const bill = named ? await lockStandingBill(tx, named.billId) : undefined
  if (reported.amount > maximumAmount && !approvalRequestId) {
    if (await findBooked(tx, provider, reported.reference))
      return handleRepetition(context, provider, reported, { bill, bankReportId })
    return holdAmount(context, { provider, payment: reported, virtualAccountId: named?.id, bankReportId })
  }
  const account = named?.status === 'pending' ? await activatePaid(context, named, reported) : named
  const { reference, mayBeReversed, underReview, amountTold: _a, numberReference: _n, ...rest } = reported
  const early = mayBeReversed === true && (await wasReversed(tx, provider, reference))
  const hold = early ? 'reversed_by_bank' : underReview ? 'fraud_review' : undefined
  const paymentId = await bookOnBill(
    { ...context, actor: systemActor },
    {
      bill,
      // Number and instalment of a replaced bill do not apply to its successor.
      account: account?.billId === bill?.id ? account : undefined,
      ...(hold && { hold }),
      values: {
        ...rest,
        provider,
        providerReference: reference,
        virtualAccountId: account?.id ?? null,
        billId: account?.billId ?? null,
        accountId: bill?.accountId ?? null,
        bankReportId,
        foundByAsking: bankReportId === null,
        ...(approvalRequestId && { approvalRequestId }),
      },
    },
  )
  if (!paymentId) return handleRepetition(context, provider, reported, { bill, bankReportId })
  if (hold)
    await raiseAlert(context, {
      kind: hold,
      provider,
      providerReference: reference,
      virtualAccountId: account?.id,
      paymentId,
      bankReportId,
    })
  return 'booked'
}

/** The number of a report. For a number made by the gateway, the portal's own id is more reliable than the digits. */
const findNamed = (tx: Tx, provider: string, { virtualAccountId, virtualAccountNumber }: ReportedPayment) =>
  tx
    .selectFrom('virtualAccounts')
    .select(virtualAccountColumns)
    .where('provider', '=', provider)
    .where((eb) => (virtualAccountId ? eb('id', '=', virtualAccountId) : eb('number', '=', virtualAccountNumber)))
    .executeTakeFirst()

/** The payment booked under a bank's transaction id. */
export const findBooked = (tx: Tx, provider: string, reference: string) =>
  tx
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', provider)
    .where('providerReference', '=', reference)
    .executeTakeFirst()

type NewPayment = Omit<Insertable<Database['payments']>, 'receivedAt' | 'status' | 'receiptNumber'>
type Arriving = {
  /** Locked by the caller. */
  bill: Bill | undefined
  account?: VirtualAccount | undefined
  values: NewPayment
  /** Allocates nothing to the bill, because staff have to check first. */
  hold?: WaitingReason
}

/** Books one payment and allocates what its bill has room for; null if the provider's reference is already booked. */
export async function bookOnBill(context: Context, { bill, account, values, hold }: Arriving): Promise<string | null> {
  const { tx, services, actor } = context
  const now = services.clock.now()
  const { amount } = values
  const fits = hold ? 0 : Math.min(roomOn(bill), amount)
  const waiting = amount - fits
  const payment = await tx
    .insertInto('payments')
    .values({
      ...values,
      receivedAt: now,
      status: waiting > 0 ? paymentTransitions.keepWaiting.to : paymentTransitions.allocate.to,
      waitingAmount: waiting,
      waitingReason: waiting > 0 ? (hold ?? reasonToWait(bill, fits)) : null,
      waitingSince: waiting > 0 ? now : null,
    })
    .onConflict((oc) => oc.columns(['provider', 'providerReference']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!payment) return null

  let paid = bill
  if (bill && fits > 0) {
    const status = await allocateToBill(context, { bill, account, paymentId: payment.id, amount: fits })
    paid = { ...bill, status, paid: bill.paid + fits }
  }
  await recordAudit(tx, actor, {
    action: 'payment.book',
    on: { payment: payment.id },
    after: { ...values, allocated: fits, waiting },
  })
  if (paid) await tellPayer(context, paid, { amount, allocated: fits, waiting })
  // Last, because taking a receipt number blocks other transactions until the end of this one.
  if (fits > 0) await giveReceipt(context, payment.id)
  return payment.id
}

/** Whole rupiah the bill still has room for. */
const roomOn = (bill: Bill | undefined) => (bill && isOwed(bill.status) ? bill.total - bill.paid : 0)

function reasonToWait(bill: { status: BillStatus } | undefined, fits: number): WaitingReason {
  if (!bill) return 'unknown_number'
  if (fits > 0) return 'overpaid'
  return isSettled(bill.status) ? 'bill_settled' : 'bill_closed'
}

/** Whether the reversal was reported before the payment: banks may send the two reports in the wrong order. */
const wasReversed = (tx: Tx, provider: string, reference: string) =>
  tx
    .selectFrom('bankReports')
    .select('id')
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .where('outcome', '=', 'reversed_early')
    .executeTakeFirst()
    .then((found) => found !== undefined)

type Repetition = {
  /** Locked by the caller. */
  bill: Bill | undefined
  bankReportId: string | null
}

/**
 * Compares a report with the payment booked under its reference. Raises an alert if the office reversed the payment or
 * the gateway reviews it for fraud. Releases a held payment that the gateway has cleared.
 */
async function handleRepetition(
  context: Omit<Context, 'actor'>,
  provider: string,
  reported: ReportedPayment,
  { bill, bankReportId }: Repetition,
): Promise<Booking> {
  const { tx } = context
  const booked = await tx
    .selectFrom('payments')
    .select(['id', 'amount', 'virtualAccountNumber', 'virtualAccountId', 'status', 'waitingReason'])
    .where('provider', '=', provider)
    .where('providerReference', '=', reported.reference)
    .executeTakeFirstOrThrow()
  if (booked.amount !== reported.amount || booked.virtualAccountNumber !== reported.virtualAccountNumber)
    return 'contradicts'
  const news =
    booked.status === 'reversed' ? 'reported_after_reversal' : reported.underReview ? 'fraud_review' : undefined
  if (news)
    await raiseAlert(context, {
      kind: news,
      provider,
      providerReference: reported.reference,
      virtualAccountId: booked.virtualAccountId,
      paymentId: booked.id,
      bankReportId,
    })
  else if (booked.waitingReason === 'fraud_review') await releaseHeld(context, booked.id, bill)
  return 'repeated'
}

/** Books a held payment that the gateway has cleared as if it arrived now, unless staff have decided about it since. */
async function releaseHeld(context: Omit<Context, 'actor'>, paymentId: string, bill: Bill | undefined) {
  const { tx } = context
  const payment = await tx
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { amount, provider, providerReference } = payment
  if (payment.waitingReason !== 'fraud_review' || payment.waitingAmount !== amount) return
  const heldAmountRequest = await tx
    .selectFrom('approvalRequests')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (heldAmountRequest) return
  const fits = Math.min(roomOn(bill), amount)
  const waiting = amount - fits
  let paid = bill
  if (bill && fits > 0) {
    const status = await allocateToBill({ ...context, actor: systemActor }, { bill, paymentId, amount: fits })
    paid = { ...bill, status, paid: bill.paid + fits }
  }
  await tx
    .updateTable('payments')
    .set({
      status: waiting > 0 ? paymentTransitions.keepWaiting.to : paymentTransitions.allocate.to,
      waitingAmount: waiting,
      waitingReason: waiting > 0 ? reasonToWait(bill, fits) : null,
    })
    .where('id', '=', paymentId)
    .execute()
  await answerAlert(context, { kind: 'fraud_review', provider, providerReference }, 'accept')
  await recordAudit(tx, systemActor, {
    action: 'payment.release',
    on: { payment: paymentId },
    after: { allocated: fits, waiting },
  })
  if (paid) await tellPayer(context, paid, { amount, allocated: fits, waiting })
  if (fits > 0) await giveReceipt(context, paymentId)
}
