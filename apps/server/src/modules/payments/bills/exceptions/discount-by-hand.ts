import { universityCalendar } from '#domain/calendar.ts'
import { approvalAbout } from '#server/modules/payments/approvals/ask-approval.ts'
import { type Bill, billLinesOf } from '#server/modules/payments/bills/change/issue-bill.ts'
import { lockForReissue } from '#server/modules/payments/bills/change/lock-subject.ts'
import { quoteReissue, reissueBill } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { appliesTo } from '#server/modules/payments/bills/prices/discounts.ts'
import { getSibling, requireNoSiblingDiscount } from '#server/modules/payments/bills/prices/sibling.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { billBefore, getOwedBill, lockOwedBill } from './lock-owed-bill.ts'

type Details = { discountId: string; siblingNumber?: string }
const discountIdOf = ({ details }: { details: unknown }) => (details as Details).discountId

/**
 * Replaces the bill by one with a further discount, if the stacking rules allow it. A sibling discount names a student.
 */
export const discountByHand = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: (tx, question) => lockForReissue(tx, question, [discountIdOf(question)]),
  async effect(context, question) {
    const { tx, services } = context
    const bill = await getOwedBill(tx, question)
    const discount = await getDiscount(context, bill, discountIdOf(question))
    const sibling = await siblingOf(tx, bill, discount, question.details as Details)
    const quote = await quoteReissue(tx, services.clock.now(), bill, await billLinesOf(tx, bill.id), discount.id)
    const discountLine = quote.find((line) => line.discount?.discountId === discount.id)
    // Another discount of the bill excludes this one.
    if (!discountLine) throw invalid({ discountId: 'discount_does_not_stack' })
    const totalAfter = quote.reduce((sum, { amount }) => sum + amount, 0)
    return {
      amount: -discountLine.amount,
      ...billBefore(bill),
      discount: discount.name,
      sibling: sibling && `${sibling.number} · ${sibling.name}`,
      ...(discount.kind === 'percent'
        ? { discountPercent: Number(discount.value) }
        : { discountRupiah: Number(discount.value) }),
      change: totalAfter - bill.total,
      totalAfter,
    }
  },
  async apply(context, request) {
    const { tx, services, actor } = context
    const bill = await lockOwedBill(tx, request)
    const discountId = discountIdOf(request)
    const { amount, reason } = request
    const newBill = await reissueBill(context, bill.id, {
      lines: await billLinesOf(tx, bill.id),
      dueAt: bill.dueAt ?? services.clock.now(),
      installmentPlanId: bill.installmentPlanId,
      planFrom: bill.issuedAt,
      alsoDiscount: discountId,
      reason,
    })
    const discountLine = await tx
      .selectFrom('billLines')
      .select('amount')
      .where('billId', '=', newBill.id)
      .where('discountId', '=', discountId)
      .executeTakeFirst()
    if (discountLine?.amount !== -amount) throw conflict('discount_does_not_stack')
    await recordAudit(tx, actor, {
      action: 'bill.discount',
      on: { bill: bill.id },
      after: { ...(request.details as object), amount },
      reason,
    })
  },
})

/** An active discount for this kind of bill, not yet on the bill and with a use left; 422 otherwise. */
async function getDiscount({ tx, services }: Omit<Context, 'actor'>, bill: Bill, discountId: string) {
  const now = services.clock.now()
  const discount = await validDiscounts(tx, now, bill.kind)
    .select(['id', 'name', 'kind', 'value', 'condition', 'maxUses', 'uses'])
    .where('id', '=', discountId)
    .executeTakeFirst()
  if (!discount) throw invalid({ discountId: 'invalid_input' })
  if (discount.maxUses !== null && discount.uses >= discount.maxUses) throw invalid({ discountId: 'discount_used_up' })
  const onBill = await tx
    .selectFrom('billLines')
    .select('id')
    .where('billId', '=', bill.id)
    .where('discountId', '=', discountId)
    .executeTakeFirst()
  if (onBill) throw invalid({ discountId: 'discount_on_bill' })
  return discount
}

/** The sibling that a sibling discount requires; undefined for a discount given by hand. */
async function siblingOf(tx: Tx, bill: Bill, { condition }: { condition: string }, { siblingNumber }: Details) {
  if (condition !== 'sibling') {
    if (siblingNumber) throw invalid({ siblingNumber: 'invalid_input' })
    return undefined
  }
  if (!siblingNumber) throw invalid({ siblingNumber: 'field_required' })
  await requireNoSiblingDiscount(tx, bill.registrationId)
  return getSibling(tx, bill, siblingNumber)
}

/** Active discounts that staff may give on this kind of bill and that are valid today in Jakarta. */
function validDiscounts(db: Db, now: Date, kind: Bill['kind']) {
  const today = universityCalendar().dayOf(now)
  return db
    .selectFrom('discounts')
    .where('active', '=', true)
    .where('condition', 'in', ['manual', 'sibling'])
    .where('appliesTo', '=', appliesTo(kind))
    .where((eb) => eb.or([eb('validFrom', 'is', null), eb('validFrom', '<=', today)]))
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', today)]))
}

/**
 * Discounts that staff may give on this kind of bill and that are not used up; the value in percent or whole rupiah.
 */
export async function manualDiscounts({ db, clock }: Services, { kind }: { kind: Bill['kind'] }) {
  const rows = await validDiscounts(db, clock.now(), kind)
    .select(['id', 'name', 'kind', 'value', 'condition'])
    .where((eb) => eb.or([eb('maxUses', 'is', null), eb('uses', '<', eb.ref('maxUses'))]))
    .orderBy('name')
    .execute()
  return rows.map(({ condition, ...row }) => ({ ...row, value: Number(row.value), sibling: condition === 'sibling' }))
}
