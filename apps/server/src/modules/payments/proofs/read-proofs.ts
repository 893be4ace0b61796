import { type RawBuilder, sql } from 'kysely'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import type { ProofRow } from '#domain/payments/proofs/endpoints.ts'
import { listProofs } from '#domain/payments/proofs/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import { getBilledRegistration } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeIs, programmeSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { paymentsVisibleTo, seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { downloadUrl } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'

const proofsFrom = (db: Db) =>
  db
    .selectFrom('transferProofs as t')
    .innerJoin('bills as b', 'b.id', 't.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')

const rowsOf = (db: Db, actor: Actor, now: Date) =>
  proofsFrom(db)
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('accounts as c', 'c.id', 't.answeredBy')
    .select(['t.id', 't.billId', 't.amount', 't.paidAt', 't.fromBank', 't.note', 't.state', 't.reason', 't.version'])
    .select(['t.returnedBecause', 't.returnedAt'])
    .select(['t.sentAt', 't.answeredAt', 't.paymentId', 't.statementLineId', 'c.name as answeredBy'])
    .select(['b.number as billNumber', 'b.kind as billKind', 'b.status as billStatus'])
    .select(['r.id as registrationId', 'r.code as registrationCode', 'a.fullName as applicantName'])
    .select((eb) =>
      eb
        .selectFrom('studyProgrammes')
        .select('name')
        .where('studyProgrammes.id', '=', programmeSql(actor, now))
        .as('programme'),
    )

/** Proofs sent before this time and still open are late. */
async function lateBefore(db: Db, now: Date) {
  const { proofAnswerHours } = await getSettings(db)
  return new Date(now.getTime() - proofAnswerHours * 3_600_000)
}

type Found = Omit<ProofRow, 'late' | 'paidAt' | 'sentAt' | 'answeredAt' | 'returnedAt'> & { sentAt: Date }
const withLate = <Row extends Pick<Found, 'state' | 'sentAt'>>(row: Row, before: Date) => ({
  ...row,
  late: row.state === 'open' && row.sentAt < before,
})

export const serveProofs = (app: App, services: Services) =>
  serveList(app, services, listProofs, {
    from: () => proofsFrom(services.db),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      state: 't.state',
      waveId: 'r.waveId',
      programmeId: (programmeId, { actor, now }) => programmeIs(actor, now, programmeId),
      from: sinceDay('t.sentAt'),
      to: untilDay('t.sentAt'),
      q: (typed, { actor }) => registrationMatches(actor, typed),
    },
    rows: ({ actor, now }) => rowsOf(services.db, actor, now),
    sorts: {
      amount: { by: sql`t.amount`, type: 'bigint' },
      paidAt: { by: sql`t.paid_at`, type: 'timestamptz' },
      sentAt: { by: sql`t.sent_at`, type: 'timestamptz' },
    },
    id: sql`t.id`,
    toRows: async (found, { connection, now }) => {
      const before = await lateBefore(connection, now)
      return found.map((row) => withLate(row, before))
    },
  })

/** Proofs of a registration for its applicant, newest first. */
export async function listOwnProofs({ db }: Services, actor: Actor, registrationId: string) {
  const registration = await getBilledRegistration(db, actor, registrationId)
  const proofs = await proofsFrom(db)
    .select(['t.id', 't.billId', 't.amount', 't.paidAt', 't.fromBank', 't.state', 't.reason', 't.sentAt'])
    .select(['t.answeredAt', 't.returnedBecause', 't.returnedAt'])
    .where('r.id', '=', registration.id)
    .orderBy('t.sentAt', 'desc')
    .orderBy('t.id')
    .execute()
  const { proofAnswerHours: answerHours } = await getSettings(db)
  return { proofs, answerHours }
}

/** A proof with what may be its money. Statement lines are only for readers of statements of the whole university. */
export async function readProof(services: Services, actor: Actor, id: string) {
  const { db, clock } = services
  const now = clock.now()
  const row = await rowsOf(db, actor, now)
    .innerJoin('files as f', 'f.id', 't.fileId')
    .select(['f.id as fileId', 'f.name as fileName', 'f.sha256', 'b.accountId'])
    .where('t.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('transfer proof')
  const [samePicture, payments, lines, before] = await Promise.all([
    proofsFrom(db)
      .innerJoin('files as f', 'f.id', 't.fileId')
      .select(['t.id', 'r.code as registrationCode'])
      .where('f.sha256', '=', row.sha256)
      .where('f.purpose', '=', 'transfer-proof')
      .where('t.id', '<>', id)
      .where(visibleTo(actor))
      .limit(sql.lit(20))
      .execute(),
    findPayments(db, actor, row),
    seesStatements(actor) ? findLines(db, row) : [],
    lateBefore(db, now),
  ])
  const file = { name: row.fileName, url: downloadUrl(services, actor, row.fileId) }
  return { ...withLate(row, before), file, samePicture, payments, lines }
}

export const seesStatements = (actor: Actor) => seesAll(actor) && actor.permissions.has('rekonsiliasi-view')

/** Days between a transfer as its sender remembers it and as a bank booked it. */
const dayTolerance = 3

type Question = { id: string; billId: string; accountId: string; amount: number; paidAt: Date }

const daysAround = (paidAt: Date) => {
  const day = bankCalendar.dayOf(paidAt)
  return { day, first: shiftDay(day, -dayTolerance), last: shiftDay(day, dayTolerance) }
}

const whyOf = (same: { amount: boolean; day: boolean; bill?: boolean }) =>
  (['bill', 'amount', 'day'] as const).filter((feature) => same[feature])

/**
 * Whether another proof names this money. A line and the payment it is matched with are the same money, so a proof of
 * either takes both.
 */
export const isNamedByAnother = (id: string, { payment, line }: Record<'payment' | 'line', RawBuilder<unknown>>) =>
  sql<boolean>`EXISTS (SELECT FROM transfer_proofs o WHERE o.id <> ${id} AND (o.payment_id = ${payment}
    OR o.statement_line_id = ANY (ARRAY(SELECT l.id FROM statement_lines l
      WHERE l.payment_id = ${payment} OR l.id = ${line}))))`

/**
 * Payments of the applicant or of nobody with the amount of the proof around its day, and all payments on its bill,
 * unless another proof names them or their statement line.
 */
async function findPayments(db: Db, actor: Actor, { id, billId, accountId, amount, paidAt }: Question) {
  const { day, first, last } = daysAround(paidAt)
  const [start] = bankCalendar.boundsOfDay(first)
  const [, end] = bankCalendar.boundsOfDay(last)
  const rows = await db
    .selectFrom('payments as p')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .leftJoin('statementLines as s', 's.paymentId', 'p.id')
    .select(['p.id', 'p.amount', 'p.paidAt', 'p.status', 'p.billId', 'p.receiptNumber', 'p.virtualAccountNumber'])
    .select(['p.provider', 'p.reference', 'p.providerReference', 'p.payerName', 's.description'])
    .where('p.status', '<>', 'reversed')
    .where(
      sql<boolean>`(p.bill_id = ${billId} OR (p.amount = ${amount} AND p.paid_at >= ${start} AND p.paid_at < ${end}
        AND (p.account_id IS NULL OR p.account_id = ${accountId})))`,
    )
    .where(sql<boolean>`NOT ${isNamedByAnother(id, { payment: sql`p.id`, line: sql`NULL` })}`)
    .where(paymentsVisibleTo(actor))
    .orderBy(sql`p.amount = ${amount}`, 'desc')
    .orderBy(sql`abs(extract(epoch FROM p.paid_at - ${paidAt}))`)
    .limit(sql.lit(20))
    .execute()
  return rows.map(({ receiptNumber, virtualAccountNumber, billId: paidBillId, ...row }) => ({
    ...row,
    label: receiptNumber ?? virtualAccountNumber ?? bankReferenceOf(row) ?? row.description ?? row.payerName ?? '',
    why: whyOf({
      amount: row.amount === amount,
      day: bankCalendar.dayOf(row.paidAt) === day,
      bill: paidBillId === billId,
    }),
  }))
}

/** States of a line that is money: not held as a repetition and not explained as something else. */
const moneyStates = ['new', 'matched'] as const

/**
 * Credits of statements with the amount of the proof around its day, unless another proof names them or their payment,
 * or they were matched with a payment of another applicant.
 */
async function findLines(db: Db, { id, accountId, amount, paidAt }: Question) {
  const { day, first, last } = daysAround(paidAt)
  const rows = await db
    .selectFrom('statementLines as s')
    .leftJoin('payments as p', 'p.id', 's.paymentId')
    .select(['s.id', 's.amountSen', 's.day', 's.state', 's.description', 's.reference'])
    .where(sql<boolean>`s.amount_sen BETWEEN ${amount * 100} AND ${amount * 100 + 99}`)
    .where('s.day', '>=', first)
    .where('s.day', '<=', last)
    .where('s.state', 'in', moneyStates)
    .where(sql<boolean>`(p.account_id IS NULL OR p.account_id = ${accountId})`)
    .where(sql<boolean>`NOT ${isNamedByAnother(id, { payment: sql`s.payment_id`, line: sql`s.id` })}`)
    .orderBy(sql`abs(s.day - ${day}::date)`)
    .orderBy(sql`s.state = 'new'`, 'desc')
    .orderBy('s.id')
    .limit(sql.lit(20))
    .execute()
  return rows.map(({ description, reference, ...row }) => ({
    ...row,
    label: description || reference,
    why: whyOf({ amount: true, day: row.day === day }),
  }))
}
