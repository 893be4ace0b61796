import { universityCalendar } from '#domain/calendar.ts'
import { approvalAbout } from '#server/modules/payments/approvals/ask-approval.ts'
import { lockBillsWithMoney } from '#server/modules/payments/bills/change/lock-subject.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import { billBefore, getOwedBill, lockOwedBill } from './lock-owed-bill.ts'

type Details = { dueOn: string; installmentId?: string }

/** Postpones the due date of the whole bill or of one instalment. */
export const dueDate = approvalAbout(['billId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockBillsWithMoney,
  async effect({ tx, services }, question) {
    const bill = await getOwedBill(tx, question)
    const { dueOn, installmentId } = question.details as Details
    const dueAfter = universityCalendar().endOfDay(dueOn)
    if (dueAfter <= services.clock.now()) throw invalid({ dueOn: 'in_the_past' })
    const part = await getOpenPart(tx, bill.id, installmentId)
    return {
      amount: part ? part.amount - part.paid : bill.total - bill.paid,
      ...billBefore(bill),
      instalment: part?.position,
      dueBefore: (part?.dueAt ?? bill.dueAt)?.toISOString(),
      dueAfter: dueAfter.toISOString(),
    }
  },
  async apply(context, request) {
    const { tx, actor } = context
    const bill = await lockOwedBill(tx, request)
    const { dueOn, installmentId } = request.details as Details
    const dueAt = universityCalendar().endOfDay(dueOn)
    const part = await getOpenPart(tx, bill.id, installmentId)
    if (part) await tx.updateTable('installments').set({ dueAt }).where('id', '=', part.id).execute()
    if (!part || (bill.dueAt && dueAt > bill.dueAt))
      await tx
        .updateTable('bills')
        .set((eb) => ({
          dueAt,
          // A new agreement about the whole bill replaces a promise.
          ...(!part && { promiseId: null, promisedUntil: null }),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', bill.id)
        .execute()
    await closeVirtualAccounts(context, part ? { installmentId: part.id } : { billId: bill.id }, 'replace')
    await recordAudit(tx, actor, {
      action: 'bill.due-date',
      on: { bill: bill.id },
      before: {
        dueAt: part?.dueAt ?? bill.dueAt,
        ...(!part && bill.promisedUntil && { promisedUntil: bill.promisedUntil }),
      },
      after: { dueAt },
      reason: request.reason,
    })
  },
})

/** The unpaid instalment with this id; null without an id. */
async function getOpenPart(tx: Tx, billId: string, id: string | undefined) {
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
