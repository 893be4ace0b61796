import { type RawBuilder, sql } from 'kysely'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { chooseDiscounts, type DiscountRule } from './choose-discounts.ts'
import type { NewBillLine, TakenDiscount } from './lines.ts'

type Priced = {
  registrationId: string
  kind: BillKind
  lines: readonly NewBillLine[]
  /** Discounts the bill already has: they stay on it after their validity ends. */
  keep?: readonly string[]
  /** Discount given by hand in the request being approved. */
  newDiscountId?: string | undefined
}

/** Discounts the bill has regardless of their validity and uses. */
const heldDiscounts = ({ keep = [], newDiscountId }: Pick<Priced, 'keep' | 'newDiscountId'>) => [
  ...keep,
  ...(newDiscountId ? [newDiscountId] : []),
]

/** A discount that a bill may have. */
export type DiscountCandidate = Omit<DiscountRule, 'value'> & TakenDiscount & { value: string | number; name: string }

/** Discounts say `fee_component` where bills say `re_registration`. */
export const appliesTo = (kind: BillKind) => (kind === 'registration_fee' ? 'registration_fee' : 'fee_component')

/**
 * Discounts a registration may have now: by voucher, for early payment, or through an agreement with its school. A
 * discount given by staff is never worth more than the approved sum, even if its value or the price has changed since.
 */
async function candidatesFor(db: Db, now: Date, priced: Priced): Promise<DiscountCandidate[]> {
  const { registrationId, kind, newDiscountId } = priced
  const { timeZone } = await getSettings(db)
  const today: RawBuilder<string> = sql`(${now}::timestamptz AT TIME ZONE ${timeZone})::date`
  const { rows } = await sql<DiscountCandidate>`
    SELECT d.id, d.id AS discount_id, d.name, d.kind, d.value, d.fee_component_id, d.stackable, u.id AS use_id, a.id AS school_agreement_id, q.amount AS most
    FROM discounts d
    LEFT JOIN discount_uses u ON u.discount_id = d.id AND u.registration_id = ${registrationId}
      AND u.released_at IS NULL AND u.bill_id IS NULL
    LEFT JOIN LATERAL (
      SELECT s.id FROM school_agreements s
      JOIN registrations r ON r.id = ${registrationId}
      JOIN applicants p ON p.id = r.applicant_id AND p.school_id = s.school_id
      WHERE s.discount_id = d.id AND s.active AND ${today} BETWEEN coalesce(s.valid_from, '-infinity') AND s.valid_to
        AND (s.quota IS NULL OR s.uses < s.quota)
      ORDER BY s.valid_to DESC, s.id LIMIT 1
    ) a ON d.condition = 'school_agreement'
    LEFT JOIN LATERAL (
      SELECT r.amount FROM approval_requests r JOIN bills b ON b.id = r.bill_id
      WHERE r.registration_id = ${registrationId} AND b.kind = ${kind} AND r.kind = 'discount' AND r.status = 'approved'
        AND r.details ->> 'discountId' = d.id::text
      ORDER BY r.decided_at DESC LIMIT 1
    ) q ON d.condition IN ('manual', 'sibling') AND d.id IS DISTINCT FROM ${newDiscountId ?? null}::uuid
    WHERE d.applies_to = ${appliesTo(kind)} AND (u.id IS NOT NULL OR d.id = ANY(${heldDiscounts(priced)}::uuid[]) OR (
      d.active AND (d.condition = 'early' OR a.id IS NOT NULL)
      AND ${today} BETWEEN coalesce(d.valid_from, '-infinity') AND coalesce(d.valid_to, 'infinity')
      AND (d.max_uses IS NULL OR d.uses < d.max_uses)))`.execute(db)
  return rows.map((row) => ({ ...row, value: Number(row.value) }))
}

/** The lines, and a negative line for each of these discounts that the stacking rules leave. */
export function withDiscounts(lines: readonly NewBillLine[], candidates: readonly DiscountCandidate[]): NewBillLine[] {
  const upfront = (componentId: string | null) =>
    componentId !== null && lines.some((one) => one.feeComponentId === componentId && one.installmentsAllowed === false)
  const rules = candidates.map((rule) => ({ ...rule, value: Number(rule.value) }))
  const priced = lines.map(({ feeComponentId = null, amount }) => ({ feeComponentId, amount }))
  const discountLines = chooseDiscounts(priced, rules).map(({ discountId, feeComponentId, amount }): NewBillLine => {
    const { name, useId, schoolAgreementId } = candidates.find(({ id }) => id === discountId)!
    return {
      description: name,
      amount: -amount,
      ...(feeComponentId && { feeComponentId }),
      ...(upfront(feeComponentId) && { installmentsAllowed: false }),
      discount: { discountId, useId, schoolAgreementId },
    }
  })
  return [...lines, ...discountLines]
}

/** The lines with the discounts that a bill issued now would have; counts no use. */
export const quoteDiscounts = async (db: Db, now: Date, priced: Priced) =>
  withDiscounts(priced.lines, await candidatesFor(db, now, priced))

type Locking = {
  registrationId: string
  kind: BillKind
  /** Discounts given by hand or by voucher. */
  also?: readonly string[]
}

/**
 * Locks, in id order, every discount whose uses issuing or replacing a bill may change. Runs before any use is counted
 * and before the bill number is taken. Agreements and vouchers are counted under the lock of their discount.
 */
export const lockDiscounts = (tx: Tx, { registrationId, kind, also = [] }: Locking) =>
  sql<{
    id: string
  }>`SELECT d.id FROM discounts d WHERE d.applies_to = ${appliesTo(kind)} AND (d.id = ANY(${also}::uuid[])
      OR d.id IN (SELECT discount_id FROM discount_uses WHERE registration_id = ${registrationId} AND released_at IS NULL)
      OR (d.active AND d.condition = 'early')
      OR (d.active AND d.condition = 'school_agreement' AND d.id IN (SELECT s.discount_id FROM school_agreements s
        JOIN applicants p ON p.school_id = s.school_id JOIN registrations r ON r.applicant_id = p.id
        WHERE r.id = ${registrationId})))
    ORDER BY d.id FOR NO KEY UPDATE`.execute(tx)

/**
 * The lines, with discounts, of a bill about to be issued. The discounts stay locked until the end of the transaction:
 * if two bills compete for the last use, the second gets none.
 */
export async function takeDiscounts(tx: Tx, now: Date, priced: Priced) {
  const { rows } = await lockDiscounts(tx, { ...priced, also: heldDiscounts(priced) })
  // Candidates are among the locked discounts.
  if (rows.length === 0) return [...priced.lines]
  return withDiscounts(priced.lines, await candidatesFor(tx, now, priced))
}

/** Stores the discounts of a registration's bill and counts their uses. */
export async function recordUses(
  { tx, actor, now }: Omit<Context, 'services'>,
  bill: { id: string; registrationId: string },
  lines: readonly NewBillLine[],
) {
  for (const { discount, amount } of lines) {
    if (!discount) continue
    if (discount.useId) {
      await tx
        .updateTable('discountUses')
        .set({ billId: bill.id, amount: -amount })
        .where('id', '=', discount.useId)
        .execute()
      continue
    }
    await tx
      .insertInto('discountUses')
      .values({
        discountId: discount.discountId,
        schoolAgreementId: discount.schoolAgreementId,
        registrationId: bill.registrationId,
        billId: bill.id,
        amount: -amount,
        takenAt: now,
        takenBy: actor.accountId || null,
      })
      .execute()
    await count(tx, discount, 1)
  }
}

/**
 * Releases the discount uses of a cancelled bill and returns the discount ids. The discount of a voucher stays reserved
 * for the registration's next bill.
 */
export async function returnUses(tx: Tx, now: Date, billId: string): Promise<string[]> {
  await tx
    .updateTable('discountUses')
    .set({ billId: null, amount: null })
    .where('billId', '=', billId)
    .where('voucherId', 'is not', null)
    .execute()
  return release(tx, now, sql`bill_id = ${billId}`)
}

/** Releases the discounts that an ended registration held for a bill that will never be issued. */
export const releaseKept = (tx: Tx, now: Date, registrationId: string) =>
  release(tx, now, sql`registration_id = ${registrationId} AND bill_id IS NULL`)

/** Releases a discount that is on no bill. */
export const releaseUse = (tx: Tx, now: Date, useId: string) => release(tx, now, sql`id = ${useId} AND bill_id IS NULL`)

async function release(tx: Tx, now: Date, which: RawBuilder<unknown>) {
  const { rows } = await sql<TakenDiscount & { voucherId: string | null }>`
    UPDATE discount_uses SET released_at = ${now}, bill_id = NULL, amount = NULL
    WHERE ${which} AND released_at IS NULL
    RETURNING discount_id, voucher_id, school_agreement_id`.execute(tx)
  for (const row of rows.toSorted((a, b) => (a.discountId < b.discountId ? -1 : 1))) await count(tx, row, -1)
  return rows.map(({ discountId }) => discountId)
}

type Counted = { discountId: string; schoolAgreementId?: string | null; voucherId?: string | null }

/** Adds or subtracts a use, in the common lock order: discount, agreement, voucher. */
export async function count(tx: Tx, { discountId, schoolAgreementId, voucherId }: Counted, change: 1 | -1) {
  await sql`UPDATE discounts SET uses = uses + ${change} WHERE id = ${discountId}`.execute(tx)
  if (schoolAgreementId)
    await sql`UPDATE school_agreements SET uses = uses + ${change} WHERE id = ${schoolAgreementId}`.execute(tx)
  if (voucherId) await sql`UPDATE vouchers SET uses = uses + ${change} WHERE id = ${voucherId}`.execute(tx)
}
