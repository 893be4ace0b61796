import type { FastifyReply, FastifyRequest } from 'fastify'
import { type NotNull, sql } from 'kysely'
import type { z } from 'zod'
import type { PayoutState } from '#domain/affiliates/affiliates.ts'
import type { readPayout } from '#domain/affiliates/payout-endpoints.ts'
import { calendarOf } from '#domain/calendar.ts'
import { basisPointsOf } from '#domain/rounding.ts'
import { payoutNumber } from '#domain/settings/number-templates.ts'
import { rupiah } from '#locales/format.ts'
import { notifyMany } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskText } from '#server/platform/access/masks.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { nextNumber } from '#server/platform/database/numbers.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { taxOf } from './settle/commission.ts'

/** A payout as the server returns it, with times as Dates. */
type SentPayout = z.input<typeof readPayout.response>['data']

type Payee = {
  id: string
  name: string
  payable: number
  bankName: string | null
  bankAccount: string | null
  bankHolder: string
  /** The payout with an undecided line for the affiliate; `payout_lines_one_frozen` allows one at a time. */
  payoutId: string | null
  number: string | null
}

const payees = async (db: Db) => {
  const { rows } = await sql<Payee>`
    SELECT f.id, f.name, b.balance - b.held - b.frozen AS payable, f.bank_name, f.bank_account,
      coalesce(f.bank_holder, f.name) AS bank_holder, p.id AS payout_id, p.number
    FROM commission_balances b JOIN affiliates f ON f.id = b.affiliate_id
    LEFT JOIN payout_lines l ON l.affiliate_id = f.id AND l.status = 'frozen' LEFT JOIN payout_runs p ON p.id = l.run_id
    WHERE b.balance - b.held - b.frozen > 0 ORDER BY f.name, f.id`.execute(db)
  return rows
}

type WithAccount = Payee & { bankName: string; bankAccount: string }
const hasAccount = (payee: Payee): payee is WithAccount => payee.bankName !== null && payee.bankAccount !== null
const canBePaid = (payee: Payee): payee is WithAccount => hasAccount(payee) && payee.payoutId === null

/**
 * Whom the next payout would pay, and whom it leaves out for lack of a bank account or until another payout is decided.
 */
export async function previewPayout(db: Db) {
  const rows = await payees(db)
  const paid = rows.filter(canBePaid)
  return {
    people: paid.length,
    amount: paid.reduce((sum, { payable }) => sum + payable, 0),
    withoutAccount: rows.filter((row) => !hasAccount(row)).map(({ name }) => name),
    waiting: rows.flatMap(({ name, payable, payoutId, number }) =>
      payoutId && number ? [{ name, amount: payable, payoutId, number }] : [],
    ),
  }
}

/** Freezes what can be paid out now; 409 if nothing can. Affiliates in another frozen payout are left out. */
export const createPayout = ({ db, clock }: Services, actor: Actor, note: string) =>
  db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('commission-payout'))`.execute(tx)
    const rows = (await payees(tx)).filter(canBePaid)
    if (rows.length === 0) throw conflict('payout_empty')
    const { timeZone, commissionTax } = await getSettings(tx)
    const now = clock.now()
    const year = calendarOf(timeZone).yearOf(now)
    const taxBps = basisPointsOf(commissionTax)
    const number = await nextNumber(tx, 'payout', year, payoutNumber, { YYYY: year })
    const { id } = await tx
      .insertInto('payoutRuns')
      .values({ number, taxBps, note: note || null, createdAt: now, createdBy: actor.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('payoutLines')
      .values(
        rows.map((row) => ({
          runId: id,
          affiliateId: row.id,
          amount: row.payable,
          tax: taxOf(row.payable, taxBps),
          bank: row.bankName,
          accountNumber: row.bankAccount,
          accountHolder: row.bankHolder,
        })),
      )
      .execute()
    const amount = rows.reduce((sum, { payable }) => sum + payable, 0)
    await recordAudit(tx, actor, {
      action: 'payout.create',
      on: { payout: id },
      after: { number, people: rows.length, amount },
    })
    return showPayout(tx, actor, id)
  })

/**
 * Approves a payout and takes its money off the balances, once. 409 for the account that created it or is paid by it,
 * and if a balance has fallen below its line since: then the payout has to be cancelled and created again.
 */
export const approvePayout = ({ db, clock }: Services, actor: Actor, id: string) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const run = await lockRun(tx, id, ['frozen'])
    if (run.createdBy === actor.accountId || (await pays(tx, id, actor))) throw conflict('own_request')
    const { rows: short } = await sql<{ name: string }>`
      SELECT f.name FROM payout_lines l JOIN affiliates f ON f.id = l.affiliate_id
      JOIN commission_balances b ON b.affiliate_id = l.affiliate_id
      WHERE l.run_id = ${id} AND b.balance - b.held < l.amount ORDER BY f.name`.execute(tx)
    if (short.length > 0) throw conflict('payout_changed', { names: short.map(({ name }) => name).join(', ') })
    await tx.updateTable('payoutLines').set({ status: 'approved' }).where('runId', '=', id).execute()
    await sql`INSERT INTO commission_entries (affiliate_id, stage, kind, amount, cause, cause_id, created_at, created_by)
      SELECT affiliate_id, 'none', 'paid', -amount, 'payout', id::text, ${now}, ${actor.accountId}::uuid
      FROM payout_lines WHERE run_id = ${id}`.execute(tx)
    await tx
      .updateTable('payoutRuns')
      .set({ status: 'approved', approvedAt: now, approvedBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'payout.approve', on: { payout: id }, after: { number: run.number } })
    return showPayout(tx, actor, id)
  })

const pays = async (tx: Tx, id: string, { accountId }: Actor) =>
  (await tx
    .selectFrom('payoutLines as l')
    .innerJoin('affiliates as f', 'f.id', 'l.affiliateId')
    .select('l.id')
    .where('l.runId', '=', id)
    .where('f.accountId', '=', accountId)
    .executeTakeFirst()) !== undefined

/** Cancels a payout that was not approved, which frees its balances for the next one. */
export const cancelPayout = ({ db, clock }: Services, actor: Actor, id: string) =>
  db.transaction().execute(async (tx) => {
    const { number } = await lockRun(tx, id, ['frozen'])
    await tx.updateTable('payoutLines').set({ status: 'cancelled' }).where('runId', '=', id).execute()
    await tx
      .updateTable('payoutRuns')
      .set({ status: 'cancelled', cancelledAt: clock.now(), cancelledBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'payout.cancel', on: { payout: id }, after: { number } })
    return showPayout(tx, actor, id)
  })

/** Records that the bank has made the transfers, and notifies affiliates with an account. */
export const markPaid = (services: Services, actor: Actor, id: string, reference: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { number } = await lockRun(tx, id, ['approved'])
    await tx
      .updateTable('payoutRuns')
      .set({ status: 'paid', paidAt: services.clock.now(), paidBy: actor.accountId, paidReference: reference })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'payout.paid', on: { payout: id }, after: { number, reference } })
    const paid = await tx
      .selectFrom('payoutLines as l')
      .innerJoin('affiliates as f', 'f.id', 'l.affiliateId')
      .select(['f.accountId', 'l.amount', 'l.tax'])
      .where('l.runId', '=', id)
      .where('l.status', '=', 'approved')
      .where('f.accountId', 'is not', null)
      .$narrowType<{ accountId: NotNull }>()
      .execute()
    await notifyMany(
      context,
      'commission-paid',
      paid.map(({ accountId, amount, tax }) => ({
        accountId,
        params: { number, amount: rupiah(amount - tax) },
        link: '/afiliator-saya',
      })),
    )
    return showPayout(tx, actor, id)
  })

/** Records that the bank returned a transfer: an entry puts the money back into the balance, once. */
export const returnLine = ({ db, clock }: Services, actor: Actor, id: string, lineId: string, reason: string) =>
  db.transaction().execute(async (tx) => {
    await lockRun(tx, id, ['approved', 'paid'])
    const line = await tx
      .updateTable('payoutLines')
      .set({ status: 'returned' })
      .where('id', '=', lineId)
      .where('runId', '=', id)
      .where('status', '=', 'approved')
      .returning(['affiliateId', 'amount'])
      .executeTakeFirst()
    if (!line) {
      const exists = await tx
        .selectFrom('payoutLines')
        .select('id')
        .where('id', '=', lineId)
        .where('runId', '=', id)
        .executeTakeFirst()
      throw exists ? conflict('wrong_status') : notFound('payout_line')
    }
    await tx
      .insertInto('commissionEntries')
      .values({
        ...line,
        stage: 'none',
        kind: 'adjustment',
        cause: 'payout',
        causeId: lineId,
        createdAt: clock.now(),
        createdBy: actor.accountId,
        note: reason,
      })
      .execute()
    await recordAudit(tx, actor, { action: 'payout.return', on: { payout: id }, after: line, reason })
    return showPayout(tx, actor, id)
  })

/**
 * Locks a payout; 409 unless it is in one of the states, which refuses all but the first of several requests at once.
 */
async function lockRun(tx: Tx, id: string, states: readonly PayoutState[]) {
  const run = await tx.selectFrom('payoutRuns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!run) throw notFound('payout')
  if (!states.includes(run.status as PayoutState)) throw conflict('wrong_status')
  return run
}

/** A payout with its lines; 404 if unknown. */
export async function showPayout(db: Db, actor: Actor, id: string): Promise<SentPayout> {
  const name = (column: string) => sql<string | null>`(SELECT name FROM accounts WHERE id = ${sql.ref(column)})`
  const run = await db
    .selectFrom('payoutRuns as r')
    .innerJoin('accounts as a', 'a.id', 'r.createdBy')
    .select(['r.id', 'r.number', 'r.status', 'r.taxBps', 'r.note', 'r.createdAt', 'r.createdBy as createdById'])
    .select(['r.approvedAt', 'r.paidAt', 'r.paidReference', 'r.cancelledAt'])
    .select(['a.name as createdBy', name('r.approved_by').as('approvedBy')])
    .select([name('r.paid_by').as('paidBy'), name('r.cancelled_by').as('cancelledBy')])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (!run) throw notFound('payout')
  const lines = await db
    .selectFrom('payoutLines as l')
    .innerJoin('affiliates as f', 'f.id', 'l.affiliateId')
    .select(['l.id', 'l.affiliateId', 'f.name', 'f.code', 'l.status', 'l.amount', 'l.tax', 'l.bank', 'l.accountNumber'])
    .select('l.accountHolder as holder')
    .where('l.runId', '=', id)
    .orderBy('f.name')
    .orderBy('l.id')
    .execute()
  const { createdById, ...facts } = run
  const sumOf = (key: 'amount' | 'tax') => lines.reduce((sum, line) => sum + line[key], 0)
  return {
    ...facts,
    own: createdById === actor.accountId,
    amount: sumOf('amount'),
    tax: sumOf('tax'),
    lines: lines.map(({ accountNumber, ...line }) => ({ ...line, account: maskText(accountNumber) })),
  }
}

/** Sends the transfers of an approved payout as a file for the bank and records the export; 409 before the approval. */
export async function sendBankFile(services: Services, request: FastifyRequest, reply: FastifyReply, id: string) {
  const { db } = services
  const run = await db.selectFrom('payoutRuns').select(['number', 'status']).where('id', '=', id).executeTakeFirst()
  if (!run) throw notFound('payout')
  if (run.status !== 'approved' && run.status !== 'paid') throw conflict('payout_not_approved')
  const query = db
    .selectFrom('payoutLines as l')
    .innerJoin('affiliates as f', 'f.id', 'l.affiliateId')
    .select(['l.bank', 'l.accountNumber', 'l.accountHolder', 'l.amount', 'l.tax'])
    .select([sql<number>`l.amount - l.tax`.as('transfer'), sql<string>`${run.number} || ' ' || f.code`.as('remark')])
    .where('l.runId', '=', id)
    .where('l.status', '=', 'approved')
    .orderBy('f.name')
    .orderBy('l.id')
  const say = sentences(languageOfRequest(request))
  const numberKeys: readonly string[] = ['transfer', 'amount', 'tax']
  return sendExport(services, request, reply, {
    name: `payout-${run.number}`,
    title: say('affiliates:payouts.file', { number: run.number }),
    format: 'csv',
    columns: (['bank', 'accountNumber', 'accountHolder', 'transfer', 'amount', 'tax', 'remark'] as const).map(
      (key) => ({
        key,
        label: say(`affiliates:bankFile.${key}`),
        kind: numberKeys.includes(key) ? ('number' as const) : ('text' as const),
      }),
    ),
    rows: readRows<SheetRow, SheetRow>(db, query, (found) => found),
  })
}
