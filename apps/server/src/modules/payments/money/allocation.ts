import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { approvalAbout, type RequestAbout } from '#server/modules/payments/approvals/ask-approval.ts'
import { giveReceipt } from '#server/modules/payments/bills/change/allocate-to-bill.ts'
import { lockPaymentWithBills } from '#server/modules/payments/bills/change/lock-subject.ts'
import { allocateWaiting } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { tellPayerOf } from '#server/modules/payments/bills/tell-payer.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { findHold, heldEffect } from './waiting/held-money.ts'

/**
 * `amount` goes to the bill. The request's own amount is all of the waiting money if the payment has no payer yet, and
 * `amount` if uncleared money already has a payer.
 */
type Details = { amount: number }

/**
 * Assigns money without a payer to a bill's account, once another account has approved the owner. Also allocates money
 * that its gateway denied or holds to a bill of the payer, once another account has approved that the money is real.
 */
export const allocation = approvalAbout(['paymentId', 'billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: (tx, question) => lockPaymentWithBills(tx, question),
  async effect({ tx }, { billId, paymentId, details }) {
    const payment = await tx.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirst()
    if (!payment) throw notFound('payment')
    const bill = await tx
      .selectFrom('bills as b')
      .innerJoin('registrations as r', 'r.id', 'b.registrationId')
      .innerJoin('applicants as a', 'a.id', 'r.applicantId')
      .select(['b.number', 'b.status', 'b.total', 'b.paid', 'b.accountId', 'r.code', 'a.fullName'])
      .where('b.id', '=', billId)
      .executeTakeFirst()
    if (!bill) throw notFound('bill')
    const held = await findHold(tx, payment.id)
    if (payment.accountId && !held) throw conflict('payment_has_owner')
    if (payment.accountId && payment.accountId !== bill.accountId) throw invalid({ billId: 'bill_of_another' })
    if (payment.status === 'reversed') throw conflict('wrong_status', { status: payment.status })
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const { amount } = details as Details
    if (amount > bill.total - bill.paid) throw invalid({ amount: 'above_rest_of_bill' })
    if (amount > payment.waitingAmount && payment.accountId && !held?.note) throw conflict('money_not_cleared')
    if (amount > payment.waitingAmount) throw invalid({ amount: 'above_payment' })
    const reference = payment.reference ?? payment.virtualAccountNumber
    return {
      amount: payment.accountId ? amount : payment.waitingAmount,
      ...heldEffect(held),
      toBill: amount,
      bill: bill.number,
      billTotal: bill.total,
      billPaid: bill.paid,
      owner: `${bill.fullName} · ${bill.code}`,
      ...(payment.payerName && { payer: payment.payerName }),
      ...(reference && { reference }),
    }
  },
  apply: giveApproved,
})

async function giveApproved(context: Context, request: RequestAbout<'paymentId' | 'billId'>) {
  const { tx, actor } = context
  const { paymentId, billId } = request
  const { amount } = request.details as Details
  const { accountId } = await tx
    .selectFrom('bills')
    .select('accountId')
    .where('id', '=', billId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('payments')
    .set({ accountId, billId })
    .where('id', '=', paymentId)
    .where('accountId', 'is', null)
    .execute()
  await allocateWaiting(context, { billId, paymentId, atMost: amount })
  const { waitingAmount } = await tx
    .selectFrom('payments')
    .select('waitingAmount')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action: 'payment.allocate',
    on: { payment: paymentId },
    after: { billId, amount },
    reason: request.reason,
  })
  await tellPayerOf(context, billId, { amount, allocated: amount, waiting: waitingAmount })
  await giveReceipt(context, paymentId)
}
