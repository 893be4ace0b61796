import { sql } from 'kysely'
import { paymentTransitions } from '#domain/payments/bills/payment-status.ts'
import { approvalAbout, askApproval, questionOf } from '#server/modules/payments/approvals/ask-approval.ts'
import { cancelBillsOfEnded } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { lockPaymentWithBills } from '#server/modules/payments/bills/change/lock-subject.ts'
import { takeOffBills } from '#server/modules/payments/bills/change/take-off-bills.ts'
import { movedPayment, paymentMoved } from '#server/modules/payments/bills/events.ts'
import { tellPayerOf } from '#server/modules/payments/bills/tell-payer.ts'
import { getPayment, lockPayment, requireBillsWithin } from '#server/modules/payments/money/visible-payments.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

/** Requests the reversal of a whole payment, because the money never arrived or was booked by mistake. */
export async function askReversal(services: Services, actor: Actor, id: string, reason: string) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { registrationId, billId } = await getPayment(tx, actor, id)
    const question = questionOf({ kind: 'reversal', registrationId, billId, paymentId: id, reason })
    return askApproval(context, reversal, question)
  })
}

type Reversible = { status: string; refundedAmount: number; registrationId?: string | null }

function requireReversible({ status, refundedAmount, registrationId }: Reversible) {
  if (!(paymentTransitions.reverse.from as readonly string[]).includes(status))
    throw conflict('wrong_status', { status })
  if (refundedAmount > 0) throw conflict('already_refunded')
  if (registrationId === null) throw conflict('payment_of_nobody')
}

/** Reverses a payment: its bills are owed again, and its receipt is marked as invalid. */
export const reversal = approvalAbout(['paymentId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockPaymentWithBills,
  guard: (tx, actor, { paymentId }) => requireBillsWithin(tx, actor, paymentId),
  async effect({ tx }, { paymentId }) {
    const payment = await getPayment(tx, null, paymentId)
    requireReversible(payment)
    return {
      amount: payment.amount,
      fromWaiting: payment.waitingAmount,
      fromBills: await paidOnBills(tx, paymentId),
    }
  },
  async apply(context, request) {
    const { tx, services, actor } = context
    const payment = await lockPayment(tx, null, request.paymentId)
    requireReversible(payment)
    const { billIds } = await takeOffBills(context, payment.id)
    await tx
      .updateTable('payments')
      .set({
        status: paymentTransitions.reverse.to,
        waitingAmount: 0,
        waitingReason: null,
        waitingSince: null,
        reversedAt: services.clock.now(),
      })
      .where('id', '=', payment.id)
      .execute()
    await cancelBillsOfEnded(context, billIds)
    await recordAudit(tx, actor, {
      action: 'payment.reverse',
      on: { payment: payment.id },
      before: { status: payment.status, amount: payment.amount },
      reason: request.reason,
    })
    await services.jobs.publish(tx, paymentMoved, movedPayment.parse({ paymentId: payment.id }))
    const reversed = { reason: request.reason }
    for (const billId of billIds) await tellPayerOf(context, billId, { amount: payment.amount, reversed })
  },
})

/** Rupiah of the payment on each bill, by bill number. */
async function paidOnBills(tx: Tx, paymentId: string) {
  const { rows } = await sql<{ name: string; amount: number }>`
    SELECT b.number AS name, sum(a.amount)::bigint AS amount FROM allocations a JOIN bills b ON b.id = a.bill_id
    WHERE a.payment_id = ${paymentId} GROUP BY b.number HAVING sum(a.amount) <> 0 ORDER BY b.number`.execute(tx)
  return rows
}
