import { billTransitions, isOwed } from '#domain/payments/bill-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'

type Limits = { /** Whole rupiah. */ most?: number; onlyBillId?: string; exceptBillId?: string }

/**
 * Takes what one payment paid (or as much of it as `most`) off its bills again by reversing rows, last allocation first,
 * and locks bills before payment. The bills are owed again; what to do with the money is the caller's. Tells which bills.
 */
export async function takeOffBills(
  tx: Tx,
  services: Services,
  actor: Actor,
  paymentId: string,
  { most = Infinity, onlyBillId, exceptBillId }: Limits = {},
) {
  const now = services.clock.now()
  const standing = () =>
    tx
      .selectFrom('allocations as a')
      .leftJoin('allocations as r', 'r.reversalOf', 'a.id')
      .select(['a.id', 'a.billId', 'a.installmentId', 'a.amount'])
      .where('a.paymentId', '=', paymentId)
      .where('a.amount', '>', 0)
      .where('r.id', 'is', null)
      .$if(onlyBillId !== undefined, (q) => q.where('a.billId', '=', onlyBillId!))
      .$if(exceptBillId !== undefined, (q) => q.where('a.billId', '<>', exceptBillId!))
      .orderBy('a.createdAt', 'desc')
      .orderBy('a.id')
      .execute()
  const ids = [...new Set((await standing()).map(({ billId }) => billId))].sort()
  if (ids.length === 0) return []
  const bills = await tx.selectFrom('bills').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
  await tx.selectFrom('payments').select('id').where('id', '=', paymentId).forUpdate().execute()
  // Read again, now that nobody else moves them.
  let left = most
  for (const row of await standing()) {
    if (left <= 0) break
    await tx
      .insertInto('allocations')
      .values({
        paymentId,
        billId: row.billId,
        installmentId: row.installmentId,
        amount: -row.amount,
        reversalOf: row.id,
        createdAt: now,
        createdBy: actor.accountId || null,
      })
      .execute()
    // A row is reversed whole; the part that stays is allocated anew.
    const stays = Math.max(row.amount - left, 0)
    if (stays > 0)
      await tx
        .insertInto('allocations')
        .values({
          paymentId,
          billId: row.billId,
          installmentId: row.installmentId,
          amount: stays,
          createdAt: now,
          createdBy: actor.accountId || null,
        })
        .execute()
    const off = row.amount - stays
    left -= off
    if (row.installmentId)
      await tx
        .updateTable('installments')
        .set((eb) => ({ paid: eb('paid', '-', off), paidAt: null }))
        .where('id', '=', row.installmentId)
        .execute()
    const bill = bills.find(({ id }) => id === row.billId)!
    bill.paid -= off
  }
  for (const bill of bills) {
    const open = bill.status === 'paid' || isOwed(bill.status)
    await tx
      .updateTable('bills')
      .set((eb) => ({
        paid: bill.paid,
        // A bill that was waived, guaranteed or cancelled stays so, however much of it was paid.
        ...(open && { status: bill.paid > 0 ? billTransitions.payPartly.to : billTransitions.reopen.to, paidAt: null }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', bill.id)
      .execute()
    await recordAudit(
      tx,
      actor,
      'bill.take-off',
      { type: 'bill', id: bill.id },
      { after: { paid: bill.paid, paymentId } },
    )
  }
  return ids
}
