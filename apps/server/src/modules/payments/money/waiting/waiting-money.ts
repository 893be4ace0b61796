import { sql } from 'kysely'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { AllocationRequest } from '#domain/payments/money/endpoints.ts'
import { listWaiting } from '#domain/payments/money/lists.ts'
import { rupiah } from '#locales/format.ts'
import { serveList } from '#server/list/serve-list.ts'
import { askApproval, questionOf } from '#server/modules/payments/approvals/ask-approval.ts'
import { giveReceipt } from '#server/modules/payments/bills/change/allocate-to-bill.ts'
import { cancelBillsOfEnded } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { lockPaymentWithBills } from '#server/modules/payments/bills/change/lock-subject.ts'
import { allocateWaiting } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { lockBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { allocatedPerBill, takeOffBills } from '#server/modules/payments/bills/change/take-off-bills.ts'
import { tellPayerOf } from '#server/modules/payments/bills/tell-payer.ts'
import { getBill } from '#server/modules/payments/bills/visible-bills.ts'
import { allocation } from '#server/modules/payments/money/allocation.ts'
import { lockPayment, paymentsWithBills, requireBillsWithin } from '#server/modules/payments/money/visible-payments.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import { contains, likePattern } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { findHold } from './held-money.ts'

/** Waiting money the actor may see, longest waiting first. */
export const serveWaiting = (app: App, services: Services) =>
  serveList(app, services, listWaiting, {
    from: () => paymentsWithBills(services.db).where('p.waitingAmount', '>', 0),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      reason: 'p.waitingReason',
      owner:
        (owner, { actor }) =>
        (eb) =>
          owner === 'me' ? eb('p.waitingOwner', '=', actor.accountId) : eb('p.waitingOwner', 'is', null),
      q:
        (q, { actor }) =>
        (eb) =>
          eb.or([
            eb('p.virtualAccountNumber', 'like', likePattern(q.replaceAll(' ', '')).slice(1)),
            contains('p.payerName', q),
            contains('p.providerReference', q),
            eb('b.registrationId', 'in', (inner) =>
              inner
                .selectFrom('registrations')
                .select('id')
                .where(registrationMatches(actor, q, 'registrations')),
            ),
          ]),
    },
    columns: (rows) =>
      rows.select((eb) => [
        'p.id',
        'p.amount',
        'p.waitingAmount',
        'p.waitingReason',
        'p.waitingSince',
        'p.waitingNote as note',
        'p.waitingOwner as ownerId',
        'p.virtualAccountNumber',
        'p.provider',
        'p.providerReference',
        'p.reference',
        'p.channel',
        'p.payerName',
        'p.paidAt',
        'b.number as billNumber',
        'r.id as registrationId',
        'r.code as registrationCode',
        eb.selectFrom('applicants as a').select('fullName').whereRef('a.id', '=', 'r.applicantId').as('applicantName'),
        eb.selectFrom('accounts as o').select('name').whereRef('o.id', '=', 'p.waitingOwner').as('ownerName'),
        eb
          .exists(
            eb
              .selectFrom('approvalRequests as q')
              .select('q.id')
              .whereRef('q.paymentId', '=', 'p.id')
              .where('q.kind', '=', 'allocation')
              .where('q.status', '=', 'pending'),
          )
          .as('asked'),
        eb.selectFrom('virtualAccounts as v').select('bank').whereRef('v.id', '=', 'p.virtualAccountId').as('bank'),
      ]),
    sorts: {
      waitingSince: { by: sql`p.waiting_since`, type: 'timestamptz' },
      waitingAmount: { by: sql`p.waiting_amount`, type: 'bigint' },
    },
    id: sql`p.id`,
    sums: { waitingAmount: sql`p.waiting_amount` },
    exact: true,
    toRows: (found) =>
      found.map(({ ownerId, bank, provider, waitingSince, providerReference, ...row }) => ({
        ...row,
        whose: row.applicantName ?? row.payerName,
        asked: row.asked === true,
        waitingSince: waitingSince!,
        reference: bankReferenceOf({ ...row, provider, providerReference }),
        owner: ownerId ? { id: ownerId, name: row.ownerName ?? '' } : null,
        bankName: bank ? bankName(services, bank) : provider,
      })),
  })

/** Makes the actor the owner of waiting money, or releases it. The notes stay with the money. */
export async function takeWaiting(
  services: Services,
  actor: Actor,
  id: string,
  { mine, note }: { mine: boolean; note?: string | undefined },
) {
  return services.db.transaction().execute(async (tx) => {
    const payment = await lockPayment(tx, actor, id)
    if (payment.waitingAmount === 0) throw conflict('nothing_waits')
    const after = { waitingOwner: mine ? actor.accountId : null, waitingNote: note || null }
    await tx.updateTable('payments').set(after).where('id', '=', id).execute()
    await recordAudit(tx, actor, {
      action: 'payment.look-after',
      on: { payment: id },
      before: { waitingOwner: payment.waitingOwner, waitingNote: payment.waitingNote },
      after,
    })
    return { id }
  })
}

/**
 * Allocates a payment, or a part of it, to an owed bill of the same account: waiting money first, then money on other
 * bills. Requests an approval instead if the payment has no payer, because another account approves the owner, and if
 * its gateway denied or holds it, because another account approves that the money is real.
 */
export async function allocatePayment(
  services: Services,
  actor: Actor,
  id: string,
  { billId, amount, reason }: AllocationRequest,
) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { registrationId } = await getBill(tx, actor, billId)
    const seen = await paymentsWithBills(tx)
      .select(['p.billId', 'p.accountId'])
      .where('p.id', '=', id)
      .where(visibleTo(actor))
      .executeTakeFirst()
    if (seen && (!seen.accountId || (await findHold(tx, id)))) {
      const question = {
        kind: 'allocation',
        registrationId,
        billId,
        paymentId: id,
        details: { amount },
        reason,
      } as const
      const approval = await askApproval(context, allocation, questionOf(question))
      return { id, approvalId: approval.id }
    }
    await lockPaymentWithBills(tx, { registrationId: null, billId, paymentId: id })
    const before = await lockPayment(tx, actor, id)
    // A report may have arrived between the first check and the lock.
    if (await findHold(tx, id)) throw conflict('money_not_cleared')
    const bill = await lockBill(tx, billId)
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    if (before.status === 'reversed') throw conflict('wrong_status', { status: before.status })
    if (before.accountId !== bill.accountId) throw invalid({ billId: 'bill_of_another' })
    if (amount > bill.total - bill.paid) throw invalid({ amount: 'above_rest_of_bill' })
    const here = (await allocatedPerBill(tx, id)).get(billId) ?? 0
    const movable = before.amount - before.refundedAmount - here
    if (amount > movable)
      throw invalid({
        amount:
          here > 0
            ? { code: 'money_on_bill_already', params: { here: rupiah(here), movable: rupiah(movable) } }
            : 'above_payment',
      })
    if (amount > before.waitingAmount) {
      await requireBillsWithin(tx, actor, id)
      const { taken: takenOff, billIds } = await takeOffBills(context, id, {
        most: amount - before.waitingAmount,
        exceptBillId: billId,
      })
      await tx
        .updateTable('payments')
        .set((eb) => ({
          waitingAmount: eb('waitingAmount', '+', takenOff),
          waitingReason: before.waitingReason ?? 'overpaid',
          status: 'waiting' as const,
        }))
        .where('id', '=', id)
        .execute()
      await cancelBillsOfEnded(context, billIds)
    }
    await allocateWaiting(context, { billId, paymentId: id, atMost: amount })
    await giveReceipt(context, id)
    await recordAudit(tx, actor, { action: 'payment.allocate', on: { payment: id }, after: { billId, amount }, reason })
    const { waitingAmount } = await tx
      .selectFrom('payments')
      .select('waitingAmount')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await tellPayerOf(context, billId, { amount, allocated: amount, waiting: waitingAmount })
    return { id, approvalId: null }
  })
}
