import { sql } from 'kysely'
import { mustGet } from '#domain/must.ts'
import { billTransitions, isOwed } from '#domain/payments/bills/bill-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { Bill } from './issue-bill.ts'

type Limits = { /** Whole rupiah. */ most?: number; onlyBillId?: string; exceptBillId?: string }

/** Allocations of a payment that are not reversed, newest first. */
const standingAllocations = (tx: Tx, paymentId: string, { onlyBillId, exceptBillId }: Limits = {}) =>
  tx
    .selectFrom('allocations as a')
    .leftJoin('allocations as r', 'r.reversalOf', 'a.id')
    .select(['a.id', 'a.billId', 'a.installmentId', 'a.amount'])
    .where('a.paymentId', '=', paymentId)
    .where('a.amount', '>', 0)
    .where('r.id', 'is', null)
    .$call((q) => (onlyBillId === undefined ? q : q.where('a.billId', '=', onlyBillId)))
    .$call((q) => (exceptBillId === undefined ? q : q.where('a.billId', '<>', exceptBillId)))
    .orderBy('a.createdAt', 'desc')
    .orderBy('a.id')
    .execute()

/** Whole rupiah of a payment on each bill; stable while the caller holds the payment's lock. */
export async function allocatedPerBill(tx: Tx, paymentId: string): Promise<Map<string, number>> {
  const perBill = new Map<string, number>()
  for (const { billId, amount } of await standingAllocations(tx, paymentId))
    perBill.set(billId, (perBill.get(billId) ?? 0) + amount)
  return perBill
}

/**
 * Takes a payment, or at most `most` rupiah of it, off its bills by reversing rows, last allocation first. The caller
 * has locked payment and bills with `lockPaymentWithBills` and decides where the money goes. Returns the reduced bills
 * and the rupiah taken off.
 */
export async function takeOffBills(
  { tx, services, actor }: Context,
  paymentId: string,
  { most = Infinity, ...limits }: Limits = {},
): Promise<{ billIds: string[]; taken: number }> {
  const now = services.clock.now()
  const standing = await standingAllocations(tx, paymentId, limits)
  const bills = await tx
    .selectFrom('bills')
    .selectAll()
    .where('id', '=', sql<string>`ANY(${standing.map(({ billId }) => billId)}::uuid[])`)
    .orderBy('id')
    .execute()
  const billsById = new Map(bills.map((bill) => [bill.id, bill]))
  const lowered = new Set<string>()
  let takenOff = 0
  for (const row of standing) {
    if (takenOff >= most) break
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
    // A row is reversed in full; the part that stays is allocated again.
    const stays = Math.max(row.amount - (most - takenOff), 0)
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
    takenOff += off
    if (row.installmentId)
      await tx
        .updateTable('installments')
        .set((eb) => ({ paid: eb('paid', '-', off), paidAt: null }))
        .where('id', '=', row.installmentId)
        .execute()
    const bill = mustGet(billsById, row.billId)
    bill.paid -= off
    lowered.add(bill.id)
  }
  for (const bill of bills) {
    if (!lowered.has(bill.id)) continue
    const open = bill.status === 'paid' || isOwed(bill.status) || (await isBeyondGuarantee(tx, bill))
    await tx
      .updateTable('bills')
      .set((eb) => ({
        paid: bill.paid,
        // A waived or cancelled bill keeps its status, however much of it was paid.
        ...(open && {
          status: bill.paid > 0 ? billTransitions.payPartly.to : billTransitions.reopen.to,
          paidAt: null,
          closedAt: null,
        }),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', bill.id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'bill.take-off',
      on: { bill: bill.id },
      after: { paid: bill.paid, paymentId },
    })
  }
  return { billIds: [...lowered].sort(), taken: takenOff }
}

/** Whether a guaranteed bill now lacks more than the amount approved for the sponsor. */
async function isBeyondGuarantee(tx: Tx, bill: Pick<Bill, 'id' | 'status' | 'total' | 'paid'>) {
  if (bill.status !== 'guaranteed') return false
  const approved = await tx
    .selectFrom('approvalRequests')
    .select('amount')
    .where('billId', '=', bill.id)
    .where('kind', '=', 'guarantee')
    .where('status', '=', 'approved')
    .orderBy('decidedAt', 'desc')
    .executeTakeFirst()
  return bill.total - bill.paid > (approved?.amount ?? 0)
}
