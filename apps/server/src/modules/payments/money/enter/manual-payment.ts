import { sql } from 'kysely'
import { foundProblems } from '#domain/body-check.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { type ManualPayment, manualPaymentProblems } from '#domain/payments/money/endpoints.ts'
import { approvalAbout, askApproval, questionOf } from '#server/modules/payments/approvals/ask-approval.ts'
import { isOwnProof } from '#server/modules/payments/approvals/proof-files.ts'
import { lockBillsOfKind } from '#server/modules/payments/bills/change/lock-subject.ts'
import { lockStandingBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import { bookOnBill } from '#server/modules/payments/money/book-payment.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { findLookAlikes } from './look-alikes.ts'

/** Provider code of money received at the counter or on the university's own account, not through a bank connection. */
export const manualProvider = 'manual'

/** In days. Older money belongs to an admission that has ended. */
const oldestDays = 400
const dayMs = 86_400_000

/** Requests to book money on a bill; nothing is booked before another account has approved it. */
export async function enterPayment(services: Services, actor: Actor, entry: ManualPayment) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    if (entry.reference) await lockReference(tx, entry.reference)
    const { registrationId } = await getBill(tx, actor, entry.billId)
    const { reason, proofFileId, billId, amount, ...details } = entry
    const question = questionOf({
      kind: 'manual_payment',
      registrationId,
      billId,
      amount,
      details,
      fileId: proofFileId ?? null,
      reason: reason || `${entry.method}: ${entry.payerName}`,
    })
    await manualPayment.lock(tx, question)
    const bill = await getBill(tx, actor, entry.billId)
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const faults: FieldErrors = foundProblems(manualPaymentProblems(entry, services.clock.now()))
    if (entry.amount > bill.total - bill.paid && !entry.restWaits) faults.amount = 'above_rest_of_bill'
    const ageMs = services.clock.now().getTime() - new Date(entry.paidAt).getTime()
    if (ageMs > oldestDays * dayMs) faults.paidAt = { code: 'paid_too_long_ago', params: { days: oldestDays } }
    if (entry.proofFileId && !(await isOwnProof(tx, actor, entry.proofFileId))) faults.proofFileId = 'file_missing'
    if (entry.reference && (await isEntered(tx, entry.reference))) faults.reference = 'reference_entered_already'
    if (Object.keys(faults).length > 0) throw invalid(faults)
    const lookAlikes = await findLookAlikes(tx, actor, question)
    if (lookAlikes.some(({ id, expected }) => !expected && !entry.another?.seen.includes(id)))
      throw new AppError(409, 'look_alikes', {}, undefined, { lookAlikes })
    return askApproval(context, manualPayment, question)
  })
}

/** Serialises entries with the same reference, whatever their bills. Taken before any row is locked. */
const lockReference = (tx: Tx, reference: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('reference ' || reference_key(${reference}), 0))`.execute(tx)

/** Whether the reference of a transfer is booked or requested; rejected and withdrawn entries do not count. */
async function isEntered(tx: Tx, reference: string) {
  const waiting = await tx
    .selectFrom('approvalRequests')
    .select('id')
    .where('kind', '=', 'manual_payment')
    .where('status', '=', 'pending')
    .where(sql<boolean>`reference_key(details ->> 'reference') = reference_key(${reference})`)
    .executeTakeFirst()
  return waiting !== undefined || isBooked(tx, reference)
}

async function isBooked(tx: Tx, reference: string) {
  const found = await tx
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', manualProvider)
    .where(sql<boolean>`reference_key(reference) = reference_key(${reference})`)
    .where('status', '<>', 'reversed')
    .executeTakeFirst()
  return found !== undefined
}

type Details = Omit<ManualPayment, 'billId' | 'amount' | 'proofFileId' | 'reason'>

/**
 * Books approved money on the bill it was entered for, or on the bill that replaced it. Money beyond the bill's total
 * waits.
 */
export const manualPayment = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-create',
  async lock(tx, question) {
    await lockBillsOfKind(tx, question)
  },
  lookAlikes: ({ tx, actor }, request) => findLookAlikes(tx, actor, request, request.id),
  /**
   * The effect is the sum alone: received money is booked even if the bill has changed since, and is allocated like
   * money from a bank.
   */
  effect: async (_, { amount }) => ({ amount }),
  async apply(context, request) {
    const { tx } = context
    const { method, paidAt, payerName, reference } = request.details as Details
    const bill = await lockStandingBill(tx, request.billId)
    if (!bill) throw notFound('bill')
    if (reference && (await isBooked(tx, reference))) throw conflict('reference_entered_already')
    const paymentId = await bookOnBill(context, {
      bill,
      values: {
        provider: manualProvider,
        providerReference: request.id,
        approvalRequestId: request.id,
        reference: reference ?? null,
        billId: request.billId,
        accountId: bill.accountId,
        amount: request.amount,
        channel: method,
        payerName,
        proofFileId: request.fileId,
        paidAt: new Date(paidAt),
      },
    })
    if (!paymentId) throw conflict('already_exists')
    await tx.updateTable('approvalRequests').set({ paymentId }).where('id', '=', request.id).execute()
  },
})
