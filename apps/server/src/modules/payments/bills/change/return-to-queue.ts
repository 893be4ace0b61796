import { sql } from 'kysely'
import { heldReasons } from '#domain/payments/approvals/held-money.ts'
import { paymentTransitions } from '#domain/payments/bills/payment-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Context } from '#server/platform/use-case.ts'

/** Takes all money off a locked bill by reversing rows; the payments wait again. */
export async function returnToQueue({ tx, services, actor }: Context, billId: string) {
  const now = services.clock.now()
  const standing = await tx
    .selectFrom('allocations as a')
    .leftJoin('allocations as r', 'r.reversalOf', 'a.id')
    .select(['a.id', 'a.paymentId', 'a.installmentId', 'a.amount'])
    .where('a.billId', '=', billId)
    .where('a.amount', '>', 0)
    .where('r.id', 'is', null)
    .orderBy('a.createdAt')
    .orderBy('a.id')
    .execute()
  if (standing.length === 0) return []
  // Locked in id order, because two bills may share two payments.
  const paymentIds = standing.map(({ paymentId }) => paymentId)
  await sql`SELECT id FROM payments WHERE id = ANY(${paymentIds}::uuid[]) ORDER BY id FOR UPDATE`.execute(tx)
  await tx
    .insertInto('allocations')
    .values(
      standing.map((row) => ({
        paymentId: row.paymentId,
        billId,
        installmentId: row.installmentId,
        amount: -row.amount,
        reversalOf: row.id,
        createdAt: now,
        createdBy: actor.accountId || null,
      })),
    )
    .execute()
  for (const row of standing)
    await tx
      .updateTable('payments')
      .set((eb) => ({
        status: paymentTransitions.keepWaiting.to,
        waitingAmount: eb('waitingAmount', '+', row.amount),
        // Money that its gateway has not cleared keeps its reason.
        waitingReason: eb
          .case()
          .when('waitingReason', 'in', heldReasons)
          .then(eb.ref('waitingReason'))
          .else('bill_closed' as const)
          .end(),
        waitingSince: now,
      }))
      .where('id', '=', row.paymentId)
      .execute()
  await tx
    .updateTable('installments')
    .set({ paid: 0, paidAt: null })
    .where('billId', '=', billId)
    // A bill reduced to zero by a waiver stays paid.
    .where('amount', '>', 0)
    .execute()
  await tx.updateTable('bills').set({ paid: 0, paidAt: null }).where('id', '=', billId).execute()
  const returned = standing.reduce((sum, row) => sum + row.amount, 0)
  await recordAudit(tx, actor, { action: 'bill.return-money', on: { bill: billId }, after: { returned } })
  return standing
}
