import { type NotNull, sql } from 'kysely'
import { bankCalendar } from '#domain/calendar.ts'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { LineRecording } from '#domain/payments/reconciliation/endpoints.ts'
import { senBeyond, wholeRupiahOf } from '#domain/payments/reconciliation/sen.ts'
import { rupiah, rupiahOfSen } from '#locales/format.ts'
import {
  approvalAbout,
  askApproval,
  questionOf,
  type RequestAbout,
} from '#server/modules/payments/approvals/ask-approval.ts'
import { lockBillsOfKind } from '#server/modules/payments/bills/change/lock-subject.ts'
import { lockStandingBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { bookOnBill } from '#server/modules/payments/money/book-payment.ts'
import { getAccount, statementProvider } from '#server/modules/payments/reconciliation/account-queue.ts'
import { bookedLine, lineBooked } from '#server/modules/payments/reconciliation/events.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { findLookAlikesOfLine, findPaymentOfLine } from './line-look-alikes.ts'
import { compareDaysOf, mustBeCredit, mustBeNew } from './settle-lines.ts'

type Details = Pick<LineRecording, 'payerName' | 'another' | 'withoutSen' | 'billId' | 'proofId'>

/** Throws 422 if a line has sen and no reason is given why the books leave them out; 409 if it is below one rupiah. */
function refuseUnexplainedSen({ amountSen }: { amountSen: number }, { withoutSen }: Details) {
  if (wholeRupiahOf(amountSen) === 0) throw conflict('line_below_rupiah')
  if (senBeyond(amountSen) > 0 && !withoutSen) throw invalid({ withoutSen: 'line_has_sen' })
}

/** Books a credit that no bank reported as received money, once another account has approved it. */
export const statementLine = approvalAbout(['statementLineId'], {
  permission: 'pembayaran-mahasiswa-create',
  /** Locks the account of the line, for which every change of its lines waits, and then the bill that gets the money. */
  async lock(tx, { statementLineId, details }) {
    await tx
      .selectFrom('bankAccounts')
      .select('id')
      .where('id', '=', (line) =>
        line.selectFrom('statementLines').select('bankAccountId').where('id', '=', statementLineId),
      )
      .forNoKeyUpdate()
      .execute()
    const { billId } = details as Details
    if (billId) await lockBillsOfKind(tx, { registrationId: null, billId, paymentId: null })
  },
  async effect({ tx, services }, { statementLineId, details }) {
    const line = await tx
      .selectFrom('statementLines as s')
      .innerJoin('bankAccounts as a', 'a.id', 's.bankAccountId')
      .innerJoin('statementImports as i', 'i.id', 's.importId')
      .innerJoin('accounts as c', 'c.id', 'i.importedBy')
      .select(['s.id', 's.bankAccountId', 's.state', 's.amountSen', 's.day', 's.reference', 's.description'])
      .select(['a.name', 'a.bank', 'a.number', 'i.fileName', 'c.name as importedBy'])
      .where('s.id', '=', statementLineId)
      .executeTakeFirst()
    if (!line) throw notFound('statement line')
    mustBeNew(line)
    mustBeCredit(line)
    const { payerName, withoutSen, billId } = details as Details
    refuseUnexplainedSen(line, { withoutSen })
    const known = await findPaymentOfLine(services, tx, line)
    if (known) throw conflict('line_in_books', { reference: known.reference ?? line.day, amount: rupiah(known.amount) })
    return {
      amount: wholeRupiahOf(line.amountSen),
      ...(billId && (await effectOnBill(tx, billId, wholeRupiahOf(line.amountSen)))),
      account: `${line.name} · ${line.bank} ${line.number}`,
      day: line.day,
      statementWords: [line.reference, line.description].filter(Boolean).join(' · '),
      statementFile: line.fileName,
      importedBy: line.importedBy,
      ...(payerName && { payer: payerName }),
      ...(senBeyond(line.amountSen) > 0 && { statementAmount: rupiahOfSen(line.amountSen), withoutSen }),
    }
  },
  apply: bookLine,
  lookAlikes: lookAlikesOfQuestion,
})

/** What a bill gets of the money; the rest waits. */
async function effectOnBill(tx: Tx, billId: string, amount: number) {
  const bill = await tx
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['b.number', 'b.status', 'b.total', 'b.paid', 'r.code', 'a.fullName'])
    // The bill that replaced it gets the money.
    .where(
      'b.id',
      '=',
      sql<string>`coalesce((SELECT n.id FROM bills o JOIN bills n ON n.registration_id = o.registration_id AND n.kind = o.kind
        WHERE o.id = ${billId} AND n.status <> 'cancelled'), ${billId})`,
    )
    .executeTakeFirst()
  if (!bill) throw notFound('bill')
  if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
  return {
    toBill: Math.min(amount, bill.total - bill.paid),
    bill: bill.number,
    billTotal: bill.total,
    billPaid: bill.paid,
    owner: `${bill.fullName} · ${bill.code}`,
  }
}

/**
 * Requests to book a credit as received. 409 `look_alikes` with payments and entries that may be the credit, until all
 * of them are listed in `another`; 409 `line_in_books` if one of them certainly is the credit.
 */
export async function askRecordLine(services: Services, actor: Actor, id: string, details: Details) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const question = questionOf({ kind: 'statement_line', statementLineId: id, details, reason: '' })
    await statementLine.lock(tx, question)
    await statementLine.effect(context, question)
    await refuseOtherProof(tx, details)
    const lookAlikes = await lookAlikesOfQuestion(context, { statementLineId: id })
    if (lookAlikes.some((one) => !details.another?.seen.includes(one.id)))
      throw new AppError(409, 'look_alikes', {}, undefined, { lookAlikes })
    return askApproval(context, statementLine, question)
  })
}

/** 422 unless the proof is an open one for the bill. */
async function refuseOtherProof(tx: Tx, { proofId, billId }: Details) {
  if (!proofId) return
  const proof = await tx
    .selectFrom('transferProofs')
    .select('id')
    .where('id', '=', proofId)
    .where('billId', '=', billId ?? null)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (!proof) throw invalid({ proofId: 'invalid_input' })
}

async function lookAlikesOfQuestion(
  { tx, services, actor }: Context,
  { statementLineId }: { statementLineId: string },
) {
  const line = await tx
    .selectFrom('statementLines')
    .selectAll()
    .where('id', '=', statementLineId)
    .executeTakeFirstOrThrow()
  return findLookAlikesOfLine(services, tx, actor, line)
}

/** Books the money of a credit: on the bill of the request as far as it has room; the rest waits. */
async function bookLine(context: Context, request: RequestAbout<'statementLineId'>) {
  const { tx, services, actor } = context
  const id = request.statementLineId
  const line = await tx.selectFrom('statementLines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { payerName, withoutSen, billId, proofId } = request.details as Details
  const bill = billId ? await lockStandingBill(tx, billId) : undefined
  const amount = wholeRupiahOf(line.amountSen)
  const now = services.clock.now()
  // The bank states a day without an hour.
  const noon = bankCalendar.momentOf(`${line.day} 12:00:00`)
  const paidAt = new Date(Math.min(noon.getTime(), now.getTime()))
  const paymentId = await bookOnBill(context, {
    bill,
    values: {
      ...(bill && { billId: bill.id, accountId: bill.accountId }),
      provider: statementProvider,
      providerReference: id,
      approvalRequestId: request.id,
      reference: line.reference.slice(0, 80) || null,
      amount,
      channel: 'transfer',
      payerName: payerName ?? null,
      paidAt,
    },
  })
  if (!paymentId) throw conflict('line_recorded')
  await tx.updateTable('approvalRequests').set({ paymentId }).where('id', '=', request.id).execute()
  await services.jobs.publish(tx, lineBooked, bookedLine.parse({ proofId, paymentId, decidedBy: actor.accountId }))
  await tx
    .updateTable('statementLines')
    .set({
      state: 'matched',
      paymentId,
      matchedBy: 'recorded',
      reason: withoutSen ?? null,
      settledBy: actor.accountId,
      settledAt: now,
    })
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, actor, {
    action: 'statement-line.book',
    on: { 'statement-line': id },
    after: { paymentId, amount, ...(withoutSen && { amountSen: line.amountSen }), payerName },
    reason: withoutSen,
  })
  const account = await getAccount(services, tx, line.bankAccountId)
  await compareDaysOf(context, { account, line, paidAt })
}

/** Pending requests to record lines as received, by line. */
export async function requestsAboutLines(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('approvalRequests as q')
    .innerJoin('accounts as c', 'c.id', 'q.requestedBy')
    .select(['q.id', 'q.statementLineId', 'q.requestedBy', 'c.name'])
    .where('q.status', '=', 'pending')
    .where('q.statementLineId', 'in', ids)
    .$narrowType<{ statementLineId: NotNull }>()
    .execute()
  return new Map(
    rows.map(({ id, statementLineId, requestedBy, name }) => [
      statementLineId,
      { id, requestedBy: { id: requestedBy, name } },
    ]),
  )
}
