import type { Selectable } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import { billSettled } from '#server/modules/payments/bills/events.ts'
import { recordUses } from '#server/modules/payments/bills/prices/discounts.ts'
import type { NewBillLine } from '#server/modules/payments/bills/prices/lines.ts'
import { type PartDates, planInstallments, upfrontOf } from '#server/modules/payments/bills/prices/prices.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { nextNumber } from '#server/platform/database/numbers.ts'
import { AppError } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { billColumns, idAfter, lockBillOfKind } from './standing-bill.ts'

export type Bill = Selectable<Database['bills']>

export type NewBill = {
  registrationId: string
  accountId: string
  kind: BillKind
  lines: NewBillLine[]
  dueAt: Date
  installmentPlanId?: string | null
  /** Start of the plan's days; a replacing bill keeps its predecessor's dates. */
  planFrom?: Date
  /** Instead of `planFrom`, the dates of the replaced bill, including dates postponed by hand. */
  dates?: PartDates
}

/**
 * Issues a bill with its lines and, with a plan, its instalments. A registration has one bill of each kind; a bill of
 * zero rupiah is paid at once. Without a plan, the whole amount is due at `dueAt`.
 */
export async function issueBill({ tx, services, actor }: Context, newBill: NewBill): Promise<Bill> {
  const now = services.clock.now()
  const settings = await getSettings(tx)
  const total = newBill.lines.reduce((sum, line) => sum + line.amount, 0)
  if (total < 0) throw new AppError(422, 'invalid_input')
  const parts = newBill.installmentPlanId
    ? await planInstallments(tx, newBill.installmentPlanId, total, {
        issuedAt: newBill.planFrom ?? now,
        upfront: upfrontOf(newBill.lines),
        dates: newBill.dates,
      })
    : []
  // A transaction that books money for an earlier bill of this kind keeps the lock until that money waits for the new
  // bill.
  const earlier = await lockBillOfKind(tx, newBill.registrationId, newBill.kind)
  const bill = await tx
    .insertInto('bills')
    .values({
      ...(earlier && { id: idAfter(earlier.id) }),
      number: await nextNumber(tx, 'bill', calendarOf(settings.timeZone).yearOf(now), settings.billNumber, {
        YYYY: calendarOf(settings.timeZone).yearOf(now),
        YY: calendarOf(settings.timeZone).yearOf(now).slice(2),
      }),
      registrationId: newBill.registrationId,
      accountId: newBill.accountId,
      kind: newBill.kind,
      status: total === 0 ? 'paid' : 'open',
      total,
      dueAt: parts.at(-1)?.dueAt ?? newBill.dueAt,
      installmentPlanId: newBill.installmentPlanId ?? null,
      issuedAt: now,
      paidAt: total === 0 ? now : null,
    })
    .returning(billColumns)
    .executeTakeFirstOrThrow()
  if (newBill.lines.length)
    await tx
      .insertInto('billLines')
      .values(
        newBill.lines.map((line, sortOrder) => ({
          billId: bill.id,
          feeComponentId: line.feeComponentId ?? null,
          description: line.description,
          amount: line.amount,
          discountId: line.discount?.discountId ?? null,
          installmentsAllowed: line.installmentsAllowed ?? true,
          sortOrder,
        })),
      )
      .execute()
  await recordUses({ tx, actor, now }, bill, newBill.lines)
  if (parts.length)
    await tx
      .insertInto('installments')
      .values(parts.map((part) => ({ billId: bill.id, ...part })))
      .execute()
  await recordAudit(tx, actor, { action: 'bill.issue', on: { bill: bill.id }, after: { number: bill.number, total } })
  if (total === 0)
    await services.jobs.publish(
      tx,
      'bill.settled',
      billSettled.parse({ billId: bill.id, registrationId: bill.registrationId, kind: bill.kind }),
    )
  return bill
}

/** The lines of a bill as issued, before any discount. */
export async function billLinesOf(db: Db, billId: string): Promise<NewBillLine[]> {
  const rows = await db
    .selectFrom('billLines')
    .select(['description', 'amount', 'feeComponentId', 'installmentsAllowed'])
    .where('billId', '=', billId)
    .where('discountId', 'is', null)
    .orderBy('sortOrder')
    .execute()
  return rows.map(({ feeComponentId, ...line }) => ({ ...line, ...(feeComponentId && { feeComponentId }) }))
}
