import { billTransitions, isOwed } from '#domain/payments/bill-status.ts'
import type { BillException } from '#domain/payments/desk-endpoints.ts'
import { billSettled } from '#domain/payments/events.ts'
import { endOfDay } from '#domain/payments/split-installments.ts'
import { percentOf } from '#domain/rounding.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { appliesTo } from '../discounts.ts'
import { type Bill, billLinesOf } from '../issue-bill.ts'
import { isPlanOffered } from '../prices.ts'
import { reduceBill } from '../reduce-bill.ts'
import { reissueBill } from '../reissue-bill.ts'
import { closeVirtualAccounts } from '../virtual-accounts.ts'
import { getBill } from '../visible-bills.ts'
import { type ApprovalRequest, askApproval } from './ask-approval.ts'
import { isOwnProof } from './manual-payment.ts'
import { owedBill } from './owed-bill.ts'
import { checkPromise } from './promise.ts'

/** Asks for an exception about a bill that is owed; 422 beside the field where it makes no sense. */
export async function askException(services: Services, actor: Actor, billId: string, wish: BillException) {
  return services.db.transaction().execute(async (tx) => {
    const bill = await getBill(tx, actor, billId, { lock: true })
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const { proofFileId, ...asked } = wish.kind === 'promise' ? wish : { ...wish, proofFileId: undefined }
    if (proofFileId && !(await isOwnProof(tx, actor, proofFileId))) throw invalid({ proofFileId: 'file_missing' })
    const { kind, reason, ...details } = asked
    return askApproval(tx, services, actor, {
      kind,
      registrationId: bill.registrationId,
      billId,
      amount: await sumOf(tx, services, bill, wish),
      details,
      fileId: proofFileId ?? null,
      reason,
    })
  })
}

/** What the exception is about in whole rupiah: what the university goes without, or waits longer for. */
async function sumOf(tx: Tx, services: Services, bill: Bill, wish: BillException): Promise<number> {
  const rest = bill.total - bill.paid
  switch (wish.kind) {
    case 'waiver':
      if (wish.amount > rest) throw invalid({ amount: 'above_rest_of_bill' })
      return wish.amount
    case 'guarantee':
      return rest
    case 'discount':
      return discountSum(tx, bill, wish.discountId)
    case 'due_date': {
      if (endOfDay(wish.dueOn) <= services.clock.now()) throw invalid({ dueOn: 'in_the_past' })
      const part = await partOf(tx, bill.id, wish.installmentId)
      return part ? part.amount - part.paid : rest
    }
    case 'promise':
      checkPromise(wish.payBy, services.clock.now())
      return rest
    case 'installment_plan': {
      if (bill.kind !== 're_registration') throw invalid({ installmentPlanId: 'invalid_input' })
      if (wish.installmentPlanId === bill.installmentPlanId) throw invalid({ installmentPlanId: 'plan_unchanged' })
      const { waveId } = await tx
        .selectFrom('registrations')
        .select('waveId')
        .where('id', '=', bill.registrationId)
        .executeTakeFirstOrThrow()
      if (wish.installmentPlanId && !(await isPlanOffered(tx, wish.installmentPlanId, waveId)))
        throw invalid({ installmentPlanId: 'invalid_input' })
      return rest
    }
  }
}

async function partOf(tx: Tx, billId: string, id: string | undefined) {
  if (!id) return null
  const part = await tx
    .selectFrom('installments')
    .selectAll()
    .where('id', '=', id)
    .where('billId', '=', billId)
    .executeTakeFirst()
  if (!part) throw notFound('installment')
  if (part.paid >= part.amount) throw invalid({ installmentId: 'already_paid' })
  return part
}

/** A discount given by hand: of the right kind of bill, still valid, not on the bill yet, uses left. */
async function discountSum(tx: Tx, bill: Bill, discountId: string) {
  const discount = await tx
    .selectFrom('discounts')
    .select(['kind', 'value', 'maxUses', 'uses', 'feeComponentId'])
    .where('id', '=', discountId)
    .where('active', '=', true)
    .where('condition', '=', 'manual')
    .where('appliesTo', '=', appliesTo(bill.kind))
    .executeTakeFirst()
  if (!discount) throw invalid({ discountId: 'invalid_input' })
  if (discount.maxUses !== null && discount.uses >= discount.maxUses) throw invalid({ discountId: 'discount_used_up' })
  const lines = await tx.selectFrom('billLines').selectAll().where('billId', '=', bill.id).execute()
  if (lines.some((line) => line.discountId === discountId)) throw invalid({ discountId: 'discount_on_bill' })
  const base = lines
    .filter((line) => line.amount > 0 && (!discount.feeComponentId || line.feeComponentId === discount.feeComponentId))
    .reduce((sum, line) => sum + line.amount, 0)
  return Math.min(discount.kind === 'percent' ? percentOf(base, discount.value) : Number(discount.value), base)
}

/** Active discounts of a kind of bill that are given by hand and not used up; the value in percent or whole rupiah. */
export async function manualDiscounts({ db }: Services, { kind }: { kind: Bill['kind'] }) {
  const rows = await db
    .selectFrom('discounts')
    .select(['id', 'name', 'kind', 'value'])
    .where('active', '=', true)
    .where('condition', '=', 'manual')
    .where('appliesTo', '=', appliesTo(kind))
    .where((eb) => eb.or([eb('maxUses', 'is', null), eb('uses', '<', eb.ref('maxUses'))]))
    .orderBy('name')
    .execute()
  return rows.map((row) => ({ ...row, value: Number(row.value) }))
}

type Details = Omit<BillException, 'kind' | 'reason'> & Record<string, unknown>

/** What an approved exception changes; refused when the bill is not owed any more. */
export async function applyException(tx: Tx, services: Services, actor: Actor, request: ApprovalRequest) {
  const bill = await owedBill(tx, request)
  const details = request.details as Details
  const { reason } = request
  switch (request.kind) {
    case 'waiver':
      await reduceBill(tx, services, bill, request.amount, await lineOf(tx, bill, 'waiver'))
      break
    case 'guarantee':
      await guarantee(tx, services, bill)
      break
    case 'discount':
      await giveDiscount(tx, services, actor, bill, details.discountId as string, reason)
      break
    case 'installment_plan':
      await reissueBill(tx, services, actor, bill.id, {
        lines: await billLinesOf(tx, bill.id),
        dueAt: bill.dueAt ?? services.clock.now(),
        installmentPlanId: details.installmentPlanId as string | null,
        planFrom: bill.issuedAt,
        endsPromise: true,
        reason,
      })
      break
  }
  const step = request.kind.replaceAll('_', '-')
  await recordAudit(
    tx,
    actor,
    `bill.${step}`,
    { type: 'bill', id: bill.id },
    { after: { ...details, amount: request.amount }, reason },
  )
}

/** Lines of bills are in the language of who reads them most: the applicant. */
async function lineOf(tx: Tx, { accountId }: Bill, what: 'waiver') {
  const { language } = await tx
    .selectFrom('accounts')
    .select('language')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return sentences(language)(`payments:line.${what}`)
}

/** A sponsor pays: nothing more is asked of the applicant. */
async function guarantee(tx: Tx, services: Services, bill: Bill) {
  await tx
    .updateTable('bills')
    .set((eb) => ({ status: billTransitions.guarantee.to, version: eb('version', '+', 1) }))
    .where('id', '=', bill.id)
    .execute()
  await closeVirtualAccounts(tx, services, { billId: bill.id }, 'cancel')
  const { id: billId, registrationId, kind } = bill
  await services.jobs.publish(tx, 'bill.settled', billSettled.parse({ billId, registrationId, kind }))
}

/** The bill is made anew with the discount among those it has, by the rules of stacking; the last use goes to one. */
async function giveDiscount(tx: Tx, services: Services, actor: Actor, bill: Bill, discountId: string, reason: string) {
  const { maxUses, uses } = await tx
    .selectFrom('discounts')
    .select(['maxUses', 'uses'])
    .where('id', '=', discountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (maxUses !== null && uses >= maxUses) throw conflict('discount_used_up')
  const made = await reissueBill(tx, services, actor, bill.id, {
    lines: await billLinesOf(tx, bill.id),
    dueAt: bill.dueAt ?? services.clock.now(),
    installmentPlanId: bill.installmentPlanId,
    planFrom: bill.issuedAt,
    alsoDiscount: discountId,
    reason,
  })
  const given = await tx
    .selectFrom('billLines')
    .select('id')
    .where('billId', '=', made.id)
    .where('discountId', '=', discountId)
    .executeTakeFirst()
  // Refused as a whole where another discount stands in its way.
  if (!given) throw conflict('discount_does_not_stack')
}

/** Later, for the whole bill or one instalment. */
export async function applyDueDate(tx: Tx, services: Services, actor: Actor, request: ApprovalRequest) {
  const bill = await owedBill(tx, request)
  const { dueOn, installmentId } = request.details as { dueOn: string; installmentId?: string }
  const dueAt = endOfDay(dueOn)
  const part = await partOf(tx, bill.id, installmentId)
  if (part) await tx.updateTable('installments').set({ dueAt }).where('id', '=', part.id).execute()
  if (!part || (bill.dueAt && dueAt > bill.dueAt))
    await tx
      .updateTable('bills')
      .set((eb) => ({
        dueAt,
        // Another agreement about the whole bill takes the place of a promise.
        ...(!part && { promiseId: null, promisedUntil: null }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', bill.id)
      .execute()
  await closeVirtualAccounts(tx, services, part ? { installmentId: part.id } : { billId: bill.id }, 'replace')
  await recordAudit(
    tx,
    actor,
    'bill.due-date',
    { type: 'bill', id: bill.id },
    {
      before: {
        dueAt: part?.dueAt ?? bill.dueAt,
        ...(!part && bill.promisedUntil && { promisedUntil: bill.promisedUntil }),
      },
      after: { dueAt },
      reason: request.reason,
    },
  )
}
