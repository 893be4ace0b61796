import { billTransitions } from '#domain/payments/bills/bill-status.ts'
import type { BillException } from '#domain/payments/bills/exceptions/endpoints.ts'
import {
  type ApprovalHandler,
  approvalAbout,
  askApproval,
  questionOf,
} from '#server/modules/payments/approvals/ask-approval.ts'
import { isOwnProof } from '#server/modules/payments/approvals/proof-files.ts'
import { type Bill, billLinesOf } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockBillsWithMoney, lockForReissue } from '#server/modules/payments/bills/change/lock-subject.ts'
import { reduceBill } from '#server/modules/payments/bills/change/reduce-bill.ts'
import { quoteReissue, reissueBill } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { billSettled } from '#server/modules/payments/bills/events.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { isPlanOffered, planInstallments, upfrontOf } from '#server/modules/payments/bills/prices/prices.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { discountByHand } from './discount-by-hand.ts'
import { dueDate } from './due-date.ts'
import { billBefore, getOwedBill, lockOwedBill } from './lock-owed-bill.ts'
import { promise } from './promise.ts'

/** Requests an exception for an owed bill; 422 with field errors if it is impossible. */
export async function askException(services: Services, actor: Actor, billId: string, exception: BillException) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { registrationId } = await getBill(tx, actor, billId)
    const { proofFileId, ...fields } =
      exception.kind === 'promise' ? exception : { ...exception, proofFileId: undefined }
    if (proofFileId && !(await isOwnProof(tx, actor, proofFileId))) throw invalid({ proofFileId: 'file_missing' })
    const { kind, reason, ...details } = fields
    const amount = exception.kind === 'waiver' ? exception.amount : 0
    const question = questionOf({ kind, registrationId, billId, amount, details, fileId: proofFileId ?? null, reason })
    return askApproval(context, handlers[kind], question)
  })
}

/** Reduces a bill by a negative line. */
export const waiver = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockBillsWithMoney,
  async effect({ tx }, question) {
    const bill = await getOwedBill(tx, question)
    const { amount } = question
    if (amount > bill.total - bill.paid) throw invalid({ amount: 'above_rest_of_bill' })
    return { amount, ...billBefore(bill), change: -amount, totalAfter: bill.total - amount }
  },
  async apply(context, request) {
    const { tx, actor } = context
    const bill = await lockOwedBill(tx, request)
    await reduceBill(context, bill, request.amount, await waiverLine(tx, bill))
    await recordAudit(tx, actor, {
      action: 'bill.waiver',
      on: { bill: bill.id },
      after: { amount: request.amount },
      reason: request.reason,
    })
  },
})

/** Bill lines are in the applicant's language, because the applicant is their main reader. */
async function waiverLine(tx: Tx, { accountId }: Bill) {
  const { language } = await tx
    .selectFrom('accounts')
    .select('language')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return sentences(language)('bills:line.waiver')
}

/** A sponsor pays: the applicant owes nothing more. */
export const guarantee = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockBillsWithMoney,
  async effect({ tx }, question) {
    const bill = await getOwedBill(tx, question)
    return { amount: bill.total - bill.paid, ...billBefore(bill) }
  },
  async apply(context, request) {
    const { tx, services, actor } = context
    const bill = await lockOwedBill(tx, request)
    await tx
      .updateTable('bills')
      .set((eb) => ({
        status: billTransitions.guarantee.to,
        closedAt: services.clock.now(),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', bill.id)
      .execute()
    await closeVirtualAccounts(context, { billId: bill.id }, 'cancel')
    const { id: billId, registrationId, kind } = bill
    await services.jobs.publish(tx, 'bill.settled', billSettled.parse({ billId, registrationId, kind }))
    await recordAudit(tx, actor, {
      action: 'bill.guarantee',
      on: { bill: bill.id },
      after: { ...(request.details as object), amount: request.amount },
      reason: request.reason,
    })
  },
})

const planIdOf = ({ details }: { details: unknown }) =>
  (details as { installmentPlanId: string | null }).installmentPlanId

/** Replaces the bill by one with other instalments. */
export const installmentPlan = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockForReissue,
  async effect({ tx, services }, question) {
    const bill = await getOwedBill(tx, question)
    const planId = planIdOf(question)
    if (bill.kind !== 're_registration') throw invalid({ installmentPlanId: 'invalid_input' })
    if (planId === bill.installmentPlanId) throw invalid({ installmentPlanId: 'plan_unchanged' })
    const { waveId } = await tx
      .selectFrom('registrations')
      .select('waveId')
      .where('id', '=', bill.registrationId)
      .executeTakeFirstOrThrow()
    if (planId && !(await isPlanOffered(tx, planId, waveId))) throw invalid({ installmentPlanId: 'invalid_input' })
    const lines = await quoteReissue(tx, services.clock.now(), bill, await billLinesOf(tx, bill.id))
    const totalAfter = lines.reduce((sum, { amount }) => sum + amount, 0)
    const parts = planId
      ? await planInstallments(tx, planId, totalAfter, { issuedAt: bill.issuedAt, upfront: upfrontOf(lines) })
      : []
    return {
      amount: bill.total - bill.paid,
      ...billBefore(bill),
      change: totalAfter - bill.total,
      totalAfter,
      planBefore: await planName(tx, bill.installmentPlanId),
      planAfter: await planName(tx, planId),
      parts: parts.map(({ dueAt, amount }) => ({ dueAt: dueAt.toISOString(), amount })),
    }
  },
  async apply(context, request) {
    const { tx, services, actor } = context
    const bill = await lockOwedBill(tx, request)
    const { reason } = request
    await reissueBill(context, bill.id, {
      lines: await billLinesOf(tx, bill.id),
      dueAt: bill.dueAt ?? services.clock.now(),
      installmentPlanId: planIdOf(request),
      planFrom: bill.issuedAt,
      endsPromise: true,
      reason,
    })
    await recordAudit(tx, actor, {
      action: 'bill.installment-plan',
      on: { bill: bill.id },
      after: { installmentPlanId: planIdOf(request), amount: request.amount },
      reason,
    })
  },
})

async function planName(tx: Tx, id: string | null) {
  if (!id) return undefined
  const plan = await tx.selectFrom('installmentPlans').select('name').where('id', '=', id).executeTakeFirst()
  return plan?.name
}

const handlers: Record<BillException['kind'], ApprovalHandler> = {
  waiver,
  discount: discountByHand,
  guarantee,
  due_date: dueDate,
  promise,
  installment_plan: installmentPlan,
}
