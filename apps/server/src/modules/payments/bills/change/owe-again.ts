import { universityCalendar } from '#domain/calendar.ts'
import { isSettled } from '#domain/payments/bills/bill-status.ts'
import { billSettled } from '#server/modules/payments/bills/events.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'
import { type Bill, billLinesOf } from './issue-bill.ts'
import { reissueBill } from './reissue-bill.ts'

/** Days to pay an amount that is owed again. */
const daysToPay = 7

/**
 * Restores the debt that a refund took off a bill when the registration continues after all: replaces the bill by one
 * without the lines of its refunds. Announces a settled bill again, because the first announcement was ignored while
 * the registration had ended.
 */
export async function oweAgain(context: Context, bill: Bill, reason: string): Promise<void> {
  const { tx, services } = context
  const refunds = await refundsOf(tx, bill)
  const lines = await billLinesOf(tx, bill.id)
  const linesWithoutRefunds = lines.filter(
    ({ amount, description }) => amount > 0 || !refunds.some((one) => description.includes(one)),
  )
  if (bill.status === 'paid' && linesWithoutRefunds.length < lines.length) {
    await reissueBill(context, bill.id, {
      lines: linesWithoutRefunds,
      dueAt: universityCalendar().endOfDayAfter(services.clock.now(), daysToPay),
      installmentPlanId: bill.installmentPlanId,
      reason,
    })
    return
  }
  if (!isSettled(bill.status)) return
  const { id: billId, registrationId, kind } = bill
  await services.jobs.publish(tx, 'bill.settled', billSettled.parse({ billId, registrationId, kind }))
}

/** Numbers of the refunds of payments that were ever on a bill of this registration and kind. */
async function refundsOf(db: Db, { registrationId, kind }: Bill): Promise<string[]> {
  const rows = await db
    .selectFrom('refunds as f')
    .select('f.number')
    .where('f.paymentId', 'in', (eb) =>
      eb
        .selectFrom('allocations as a')
        .innerJoin('bills as b', 'b.id', 'a.billId')
        .select('a.paymentId')
        .where('b.registrationId', '=', registrationId)
        .where('b.kind', '=', kind),
    )
    .execute()
  return rows.map(({ number }) => number)
}
