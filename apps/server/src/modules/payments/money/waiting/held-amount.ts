import { sql } from 'kysely'
import type { HeldDecision } from '#domain/payments/approvals/held-money.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { HeldAmountRequest } from '#domain/payments/money/endpoints.ts'
import { isBookable } from '#domain/payments/money/held-amount.ts'
import {
  approvalAbout,
  askApproval,
  questionOf,
  type RequestAbout,
} from '#server/modules/payments/approvals/ask-approval.ts'
import { lockBillsWithMoney } from '#server/modules/payments/bills/change/lock-subject.ts'
import { lockStandingBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { alertColumns, toAlert } from '#server/modules/payments/money/alerts.ts'
import { bookPayment, findBooked } from '#server/modules/payments/money/book-payment.ts'
import { providersOf } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { paymentOf, toStoredReport } from './held-amounts.ts'

type Details = { decision: HeldDecision }

/** Held amounts `l`, each with its number and the payer. */
const heldAmounts = (db: Db) =>
  db
    .selectFrom('paymentAlerts as l')
    .leftJoin('virtualAccounts as v', 'v.id', 'l.virtualAccountId')
    .leftJoin('bills as b', 'b.id', 'v.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .where('l.kind', '=', 'above_maximum')

async function getHeldAmount(tx: Tx, id: string, actor?: Actor) {
  const alert = await heldAmounts(tx)
    .selectAll('l')
    .select(['b.id as billId', 'b.registrationId'])
    .where('l.id', '=', id)
    .$call((q) => (actor === undefined ? q : q.where(visibleTo(actor))))
    .executeTakeFirst()
  if (!alert) throw notFound('alert')
  return alert
}

/** Undecided held amounts of registrations the actor may see, oldest first. */
export async function listHeldAmounts(services: Services, actor: Actor) {
  const providers = await providersOf(services)
  const names = await services.db.selectFrom('providerAccounts').select(['code', 'name']).execute()
  const rows = await heldAmounts(services.db)
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('accounts as s', 's.id', 'l.settledBy')
    .select(alertColumns)
    .select(['l.provider', 'r.id as registrationId', 'a.fullName as applicantName'])
    .where('l.settledAt', 'is', null)
    .where(visibleTo(actor))
    .orderBy('l.raisedAt')
    .orderBy('l.id')
    // More than anyone can work through; the rest appears once these are decided.
    .limit(100)
    .execute()
  return rows.map(({ provider, registrationId, applicantName, ...row }) => ({
    ...toAlert(row),
    through: names.find(({ code }) => code === provider)?.name ?? bankNameOf(providers, provider),
    number: toStoredReport(row.told)?.virtualAccountNumber ?? '',
    registrationId,
    applicantName,
  }))
}

const bankNameOf = (providers: Awaited<ReturnType<typeof providersOf>>, code: string) =>
  providers.find((provider) => provider.code === code)?.banks[0]?.name ?? code

/** Requests to book or dismiss a held amount. */
export const askHeldAmount = (services: Services, actor: Actor, id: string, { decision, reason }: HeldAmountRequest) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { registrationId } = await getHeldAmount(tx, id, actor)
    const question = { kind: 'held_amount', registrationId, paymentAlertId: id, details: { decision }, reason } as const
    return askApproval(context, heldAmount, questionOf(question))
  })

/** Books or dismisses an amount above its connection's maximum once another account has approved that. */
export const heldAmount = approvalAbout(['paymentAlertId'], {
  permission: 'pembayaran-mahasiswa-update',
  async lock(tx, { paymentAlertId }) {
    const { billId, registrationId } = await getHeldAmount(tx, paymentAlertId)
    if (billId) await lockBillsWithMoney(tx, { registrationId, billId, paymentId: null })
    await sql`SELECT id FROM payment_alerts WHERE id = ${paymentAlertId} FOR UPDATE`.execute(tx)
  },
  async effect({ tx }, { paymentAlertId, details }) {
    const alert = await getHeldAmount(tx, paymentAlertId)
    if (alert.settledAt) throw conflict('wrong_status', { status: 'settled' })
    const { decision } = details as Details
    const report = toStoredReport(alert.told)!
    const effect = {
      amount: 0,
      decision,
      ...(isBookable(alert.amount) ? { heldAmount: alert.amount } : { amountTold: report.amountTold ?? '' }),
      number: report.virtualAccountNumber,
      reference: alert.providerReference,
    }
    if (decision === 'dismiss') return effect
    if (!isBookable(alert.amount)) throw conflict('amount_beyond_books')
    if (await findBooked(tx, alert.provider, alert.providerReference)) throw conflict('already_exists')
    const bill = alert.billId ? await lockStandingBill(tx, alert.billId) : undefined
    if (!bill) return effect
    const fits = isOwed(bill.status) ? Math.min(bill.total - bill.paid, alert.amount) : 0
    return { ...effect, bill: bill.number, toBill: fits }
  },
  apply: settleHeld,
})

async function settleHeld(context: Context, request: RequestAbout<'paymentAlertId'>) {
  const { tx, services, actor } = context
  const alert = await getHeldAmount(tx, request.paymentAlertId)
  const { decision } = request.details as Details
  const { provider, providerReference, bankReportId } = alert
  const isBooking = decision === 'book'
  // Before the payment is booked, because a check of the books compares it with its report.
  if (bankReportId)
    await tx
      .updateTable('bankReports')
      .set({ outcome: isBooking ? 'booked' : 'dismissed' })
      .where('id', '=', bankReportId)
      .execute()
  if (isBooking) {
    if (!isBookable(alert.amount)) throw conflict('amount_beyond_books')
    const booking = await bookPayment(context, { code: provider, maximumAmount: alert.amount }, paymentOf(alert.told), {
      bankReportId,
      approvalRequestId: request.id,
    })
    if (booking !== 'booked') throw conflict('already_exists')
  }
  const payment = isBooking ? await findBooked(tx, provider, providerReference) : undefined
  await tx
    .updateTable('paymentAlerts')
    .set({
      settledAt: services.clock.now(),
      settledBy: actor.accountId,
      note: request.reason.slice(0, 500),
      ...(payment && { paymentId: payment.id }),
    })
    .where('id', '=', alert.id)
    .execute()
  await recordAudit(tx, actor, {
    action: 'virtual-account.settle-alert',
    on: { 'virtual-account': alert.virtualAccountId ?? alert.id },
    after: { kind: alert.kind, reference: providerReference, decision },
    reason: request.reason,
  })
}
