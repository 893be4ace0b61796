import { billSettled } from '#domain/payments/events.ts'
import { endOfDay } from '#domain/payments/split-installments.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { promiseToPay } from '../promises.ts'
import type { ApprovalRequest } from './ask-approval.ts'
import { owedBill } from './owed-bill.ts'

const longest = 366 * 86_400_000

/** 422 beside the field for a day that is over, or so far away that it must be a slip. */
export function checkPromise(payBy: string, now: Date) {
  const until = endOfDay(payBy)
  if (until <= now) throw invalid({ payBy: 'in_the_past' })
  if (until.getTime() - now.getTime() > longest) throw invalid({ payBy: 'more_than_a_year_ahead' })
}

/** The bill is promised by a day: the latest promise counts, the one before it stays in the log with its reason. */
export async function applyPromise(tx: Tx, services: Services, actor: Actor, request: ApprovalRequest) {
  const bill = await owedBill(tx, request)
  const { payBy } = request.details as { payBy: string }
  // Time went by since it was asked.
  checkPromise(payBy, services.clock.now())
  const earlier =
    bill.promiseId === null
      ? undefined
      : await tx.selectFrom('approvalRequests').select('reason').where('id', '=', bill.promiseId).executeTakeFirst()
  const promisedUntil = endOfDay(payBy)
  await promiseToPay(tx, services, bill.id, { promiseId: request.id, promisedUntil })
  await recordAudit(
    tx,
    actor,
    'bill.promise',
    { type: 'bill', id: bill.id },
    {
      before: {
        dueAt: bill.dueAt,
        ...(earlier && { promisedUntil: bill.promisedUntil, promiseReason: earlier.reason }),
      },
      after: { dueAt: promisedUntil, promisedUntil },
      reason: request.reason,
    },
  )
  const { id: billId, registrationId, kind } = bill
  await services.jobs.publish(tx, 'bill.progressed', billSettled.parse({ billId, registrationId, kind }))
}
