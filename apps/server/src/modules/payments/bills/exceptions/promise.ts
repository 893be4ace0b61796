import { universityCalendar } from '#domain/calendar.ts'
import { promiseProblem } from '#domain/payments/bills/promise-problem.ts'
import { approvalAbout } from '#server/modules/payments/approvals/ask-approval.ts'
import { lockBillsWithMoney } from '#server/modules/payments/bills/change/lock-subject.ts'
import { billSettled } from '#server/modules/payments/bills/events.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { invalid } from '#server/platform/errors.ts'
import { billBefore, getOwedBill, lockOwedBill } from './lock-owed-bill.ts'
import { promiseToPay } from './promises.ts'

/** Throws 422 with a field error; checked again when the promise is approved. */
function checkPromise(payBy: string, now: Date) {
  const problem = promiseProblem(payBy, now)
  if (problem) throw invalid({ payBy: problem })
}

/**
 * The payer promises to pay by a day. The latest promise counts; an earlier one stays in the audit log with its reason.
 */
export const promise = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockBillsWithMoney,
  async effect({ tx, services }, question) {
    const bill = await getOwedBill(tx, question)
    const { payBy } = question.details as { payBy: string }
    checkPromise(payBy, services.clock.now())
    return {
      amount: bill.total - bill.paid,
      ...billBefore(bill),
      dueBefore: bill.dueAt?.toISOString(),
      dueAfter: universityCalendar().endOfDay(payBy).toISOString(),
    }
  },
  async apply(context, request) {
    const { tx, services, actor } = context
    const bill = await lockOwedBill(tx, request)
    const { payBy } = request.details as { payBy: string }
    const earlier =
      bill.promiseId === null
        ? undefined
        : await tx.selectFrom('approvalRequests').select('reason').where('id', '=', bill.promiseId).executeTakeFirst()
    const promisedUntil = universityCalendar().endOfDay(payBy)
    await promiseToPay(context, bill.id, { promiseId: request.id, promisedUntil })
    await recordAudit(tx, actor, {
      action: 'bill.promise',
      on: { bill: bill.id },
      before: {
        dueAt: bill.dueAt,
        ...(earlier && { promisedUntil: bill.promisedUntil, promiseReason: earlier.reason }),
      },
      after: { dueAt: promisedUntil, promisedUntil },
      reason: request.reason,
    })
    const { id: billId, registrationId, kind } = bill
    await services.jobs.publish(tx, 'bill.progressed', billSettled.parse({ billId, registrationId, kind }))
  },
})
