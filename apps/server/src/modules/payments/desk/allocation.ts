import { isOwed } from '#domain/payments/bill-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { giveReceipt } from '../book-payment.ts'
import { lockPaymentWithBills } from '../lock-subject.ts'
import { allocateWaiting } from '../reissue-bill.ts'
import { tellPayerOf } from '../tell-payer.ts'
import type { ApprovalHandler, ApprovalRequest } from './ask-approval.ts'

/** `amount` goes to the bill; the request's own amount is all that waits, since all of it gets an owner. */
type Details = { amount: number }

/** Money of nobody becomes money of a bill's account once another account has approved whose it is. */
export const allocation: ApprovalHandler = {
  permission: 'pembayaran-mahasiswa-update',
  lock: (tx, question) => lockPaymentWithBills(tx, question),
  async effect(tx, _services, { billId, paymentId, details }) {
    const payment = await tx.selectFrom('payments').selectAll().where('id', '=', paymentId!).executeTakeFirst()
    if (!payment) throw notFound('payment')
    const bill = await tx
      .selectFrom('bills as b')
      .innerJoin('registrations as r', 'r.id', 'b.registrationId')
      .innerJoin('applicants as a', 'a.id', 'r.applicantId')
      .select(['b.number', 'b.status', 'b.total', 'b.paid', 'r.code', 'a.fullName'])
      .where('b.id', '=', billId!)
      .executeTakeFirst()
    if (!bill) throw notFound('bill')
    if (payment.accountId) throw conflict('payment_has_owner')
    if (payment.status === 'reversed') throw conflict('wrong_status', { status: payment.status })
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const { amount } = details as Details
    if (amount > bill.total - bill.paid) throw invalid({ amount: 'above_rest_of_bill' })
    if (amount > payment.waitingAmount) throw invalid({ amount: 'above_payment' })
    return {
      amount: payment.waitingAmount,
      toBill: amount,
      bill: bill.number,
      billTotal: bill.total,
      billPaid: bill.paid,
      owner: `${bill.fullName} · ${bill.code}`,
      ...(payment.payerName && { payer: payment.payerName }),
      ...((payment.reference ?? payment.virtualAccountNumber) && {
        reference: payment.reference ?? payment.virtualAccountNumber!,
      }),
    }
  },
  apply: giveMoneyOfNobody,
}

async function giveMoneyOfNobody(tx: Tx, services: Services, actor: Actor, request: ApprovalRequest) {
  const [paymentId, billId] = [request.paymentId!, request.billId!]
  const { amount } = request.details as Details
  const { accountId } = await tx
    .selectFrom('bills')
    .select('accountId')
    .where('id', '=', billId)
    .executeTakeFirstOrThrow()
  await tx.updateTable('payments').set({ accountId, billId }).where('id', '=', paymentId).execute()
  await allocateWaiting(tx, services, actor, billId, paymentId, amount)
  const { waitingAmount } = await tx
    .selectFrom('payments')
    .select('waitingAmount')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  await recordAudit(
    tx,
    actor,
    'payment.allocate',
    { type: 'payment', id: paymentId },
    { after: { billId, amount }, reason: request.reason },
  )
  await tellPayerOf(tx, services, billId, { amount, allocated: amount, waiting: waitingAmount })
  await giveReceipt(tx, services, paymentId)
}

/** The account that asked to record the statement line of a payment; it may not decide whose money it is. */
export async function requesterOfLine(db: Db, paymentId: string): Promise<string | null> {
  const found = await db
    .selectFrom('payments as p')
    .innerJoin('approvalRequests as l', 'l.id', 'p.approvalRequestId')
    .select('l.requestedBy')
    .where('p.id', '=', paymentId)
    .where('l.kind', '=', 'statement_line')
    .executeTakeFirst()
  return found?.requestedBy ?? null
}
