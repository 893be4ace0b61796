import type { Insertable } from 'kysely'
import { allocate } from '#domain/payments/allocate.ts'
import { type BillStatus, billTransitions, isOwed, isSettled } from '#domain/payments/bill-status.ts'
import { billSettled, installmentSettled } from '#domain/payments/events.ts'
import { paymentTransitions, type WaitingReason } from '#domain/payments/payment-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { type Actor, systemActor } from '#server/platform/authorization.ts'
import type { Database, Tx } from '#server/platform/database.ts'
import { nextNumber } from '#server/platform/numbers.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { raiseAlert } from './alerts.ts'
import type { Bill } from './issue-bill.ts'
import { year } from './issue-bill.ts'
import type { ReportedPayment } from './providers/provider.ts'
import { tellPayer } from './tell-payer.ts'
import { closeVirtualAccounts, settleVirtualAccount, tellRemaining, type VirtualAccount } from './virtual-accounts.ts'

export type Booking = 'booked' | 'repeated' | 'contradicts'

/**
 * Books what a bank reported. Safe to call again with the same report, at any time and from several servers: the bill's
 * row is the queue, the bank's transaction id the key. What fits the bill is allocated, the rest waits for a person.
 */
export async function bookPayment(
  tx: Tx,
  services: Services,
  provider: string,
  reported: ReportedPayment,
  bankReportId: string | null,
): Promise<Booking> {
  const account = await tx
    .selectFrom('virtualAccounts')
    .selectAll()
    .where('provider', '=', provider)
    .where((eb) =>
      reported.virtualAccountId
        ? eb('id', '=', reported.virtualAccountId)
        : eb('number', '=', reported.virtualAccountNumber),
    )
    .executeTakeFirst()
  const bill = account ? await lockBill(tx, account.billId) : undefined
  const { reference, mayBeReversed, ...rest } = reported
  const early = mayBeReversed === true && (await wasReversed(tx, provider, reference))
  const paymentId = await bookOnBill(tx, services, systemActor, {
    bill,
    account,
    ...(early && { hold: 'reversed_by_bank' }),
    values: {
      ...rest,
      provider,
      providerReference: reference,
      virtualAccountId: account?.id ?? null,
      billId: bill?.id ?? null,
      accountId: bill?.accountId ?? null,
      bankReportId,
    },
  })
  if (!paymentId) return compareWithBooked(tx, provider, reported)
  if (early)
    await raiseAlert(tx, services, {
      kind: 'reversed_by_bank',
      provider,
      providerReference: reference,
      virtualAccountId: account?.id,
      paymentId,
      bankReportId,
    })
  return 'booked'
}

/** The row of a bill, kept until the end of the transaction: whoever moves its money waits here. */
export const lockBill = (tx: Tx, id: string) =>
  tx.selectFrom('bills').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

type NewPayment = Omit<Insertable<Database['payments']>, 'receivedAt' | 'status' | 'receiptNumber'>
type Arriving = {
  /** Locked by the caller. */
  bill: Bill | undefined
  account?: VirtualAccount | undefined
  values: NewPayment
  /** Nothing of it is booked on the bill: a person has to look first. */
  hold?: WaitingReason
}

/** Books one payment, on a bill as far as it has room; nothing when the provider's reference is booked already. */
export async function bookOnBill(
  tx: Tx,
  services: Services,
  actor: Actor,
  { bill, account, values, hold }: Arriving,
): Promise<string | null> {
  const now = services.clock.now()
  const payment = await tx
    .insertInto('payments')
    .values({ ...values, receivedAt: now })
    .onConflict((oc) => oc.columns(['provider', 'providerReference']).doNothing())
    .returning(['id', 'amount'])
    .executeTakeFirst()
  if (!payment) return null

  const room = bill && isOwed(bill.status) && !hold ? bill.total - bill.paid : 0
  const fits = Math.min(room, payment.amount)
  const waiting = payment.amount - fits
  const receiptNumber = await settle(payment.id)
  await tx
    .updateTable('payments')
    .set({
      status: waiting > 0 ? paymentTransitions.keepWaiting.to : paymentTransitions.allocate.to,
      waitingAmount: waiting,
      waitingReason: waiting > 0 ? (hold ?? reasonToWait(bill, fits)) : null,
      waitingSince: waiting > 0 ? now : null,
      receiptNumber,
    })
    .where('id', '=', payment.id)
    .execute()
  await recordAudit(
    tx,
    actor,
    'payment.book',
    { type: 'payment', id: payment.id },
    { after: { ...values, allocated: fits, waiting } },
  )
  if (bill) await tellPayer(tx, services, bill.id, { amount: payment.amount, allocated: fits, waiting })
  return payment.id

  async function settle(paymentId: string): Promise<string | null> {
    if (!bill || fits === 0) return null
    await allocateToBill(tx, services, actor, { bill, account, paymentId, amount: fits })
    // Last, because whoever takes a receipt number makes the others wait for it until the end of the transaction.
    return nextReceipt(tx, now)
  }
}

async function nextReceipt(tx: Tx, now: Date): Promise<string> {
  const { receiptNumber: template, timeZone } = await getSettings(tx)
  const yyyy = year(now, timeZone)
  return nextNumber(tx, 'receipt', yyyy, template, { YYYY: yyyy, YY: yyyy.slice(2) })
}

/** Money that found its bill only now gets its receipt; a payment has one receipt in its life. */
export async function giveReceipt(tx: Tx, services: Services, paymentId: string): Promise<void> {
  const { receiptNumber } = await tx
    .selectFrom('payments')
    .select('receiptNumber')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  if (receiptNumber) return
  const given = await nextReceipt(tx, services.clock.now())
  await tx.updateTable('payments').set({ receiptNumber: given }).where('id', '=', paymentId).execute()
}

function reasonToWait(bill: { status: BillStatus } | undefined, fits: number): WaitingReason {
  if (!bill) return 'unknown_number'
  if (fits > 0) return 'overpaid'
  return isSettled(bill.status) ? 'bill_settled' : 'bill_closed'
}

/** The bank had taken it back before it told of it: the two reports came in the wrong order. */
const wasReversed = (tx: Tx, provider: string, reference: string) =>
  tx
    .selectFrom('bankReports')
    .select('id')
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .where('outcome', '=', 'reversed_early')
    .executeTakeFirst()
    .then((found) => found !== undefined)

async function compareWithBooked(tx: Tx, provider: string, reported: ReportedPayment): Promise<Booking> {
  const booked = await tx
    .selectFrom('payments')
    .select(['amount', 'virtualAccountNumber'])
    .where('provider', '=', provider)
    .where('providerReference', '=', reported.reference)
    .executeTakeFirstOrThrow()
  const same = booked.amount === reported.amount && booked.virtualAccountNumber === reported.virtualAccountNumber
  return same ? 'repeated' : 'contradicts'
}

type Incoming = {
  bill: Bill
  /** The number the money came on: its own instalment is served first. */
  account?: VirtualAccount | undefined
  paymentId: string
  amount: number
}

/** Puts money on a bill whose row is locked and which has room for it; tells the world what that settles. */
export async function allocateToBill(tx: Tx, services: Services, actor: Actor, incoming: Incoming) {
  const { bill, account, paymentId, amount } = incoming
  const now = services.clock.now()
  const installments = await tx
    .selectFrom('installments')
    .select(['id', 'position', 'amount', 'paid', 'dueAt'])
    .where('billId', '=', bill.id)
    .orderBy('position')
    .execute()
  const parts = installments.length
    ? allocate(
        amount,
        installments.map((part) => ({
          id: part.id,
          remaining: part.amount - part.paid,
          dueAt: part.dueAt,
          priority: part.id === account?.installmentId ? 0 : 1,
        })),
      ).parts
    : [{ id: null, amount }]
  await tx
    .insertInto('allocations')
    .values(
      parts.map((part) => ({
        paymentId,
        billId: bill.id,
        installmentId: part.id,
        amount: part.amount,
        createdAt: now,
        createdBy: actor.accountId || null,
      })),
    )
    .execute()

  const completed: typeof installments = []
  for (const part of parts) {
    const installment = installments.find((row) => row.id === part.id)
    if (!installment) continue
    const done = installment.paid + part.amount >= installment.amount
    if (done) completed.push(installment)
    await tx
      .updateTable('installments')
      .set((eb) => ({ paid: eb('paid', '+', part.amount), paidAt: done ? now : null }))
      .where('id', '=', installment.id)
      .execute()
  }

  const settled = bill.paid + amount >= bill.total
  const step = settled ? billTransitions.settle : billTransitions.payPartly
  await tx
    .updateTable('bills')
    .set((eb) => ({
      paid: eb('paid', '+', amount),
      status: step.to,
      paidAt: settled ? now : null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', bill.id)
    .where('status', 'in', [...step.from])
    .execute()

  const target = account && completed.some((part) => part.id === account.installmentId)
  if (account && (settled || target)) await settleVirtualAccount(tx, services, account)
  else if (account) await tellRemaining(tx, services, account)
  if (settled) await closeVirtualAccounts(tx, services, { billId: bill.id }, 'cancel')
  else for (const part of completed) await closeVirtualAccounts(tx, services, { installmentId: part.id }, 'cancel')

  const event = billSettled.parse({ billId: bill.id, registrationId: bill.registrationId, kind: bill.kind })
  for (const part of completed)
    await services.jobs.publish(
      tx,
      'installment.settled',
      installmentSettled.parse({ ...event, installmentId: part.id, position: part.position }),
    )
  if (settled) await services.jobs.publish(tx, 'bill.settled', event)
}
