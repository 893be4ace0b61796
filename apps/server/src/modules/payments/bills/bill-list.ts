import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { billStatuses, isOverdue, isOwed } from '#domain/payments/bills/bill-status.ts'
import type { OwedBillsQuery } from '#domain/payments/bills/endpoints.ts'
import { listBills } from '#domain/payments/bills/lists.ts'
import { type PromiseState, promiseState } from '#domain/payments/bills/promise.ts'
import { serveList, sourceFor } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeIs, programmeSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { type Db, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

const owedStatuses = billStatuses.filter(isOwed)

/** Conditions that agree with `promiseState`; each uses the index of promised bills. */
const promised: Record<PromiseState, (now: Date) => RawBuilder<SqlBool>> = {
  open: (now) => sql`b.promised_until >= ${now} AND b.status IN ('open', 'partly_paid')`,
  kept: () => sql`b.promised_until IS NOT NULL AND b.status IN ('paid', 'waived', 'guaranteed')
    AND (b.paid_at IS NULL OR b.paid_at <= b.promised_until)`,
  broken: (now) => sql`b.promised_until < ${now} AND (b.status IN ('open', 'partly_paid')
    OR (b.status IN ('paid', 'waived', 'guaranteed') AND b.paid_at > b.promised_until))`,
}

const billsOfRegistrations = (db: Db) =>
  db.selectFrom('bills as b').innerJoin('registrations as r', 'r.id', 'b.registrationId')

const numberStarts = (number: RawBuilder<unknown>, typed: string) =>
  sql`lower(${number}) LIKE ${likePattern(typed.toLowerCase()).slice(1)}`

/** Ids of bills whose number starts with the typed text or whose applicant matches it; each half uses its own index. */
const idsOfFound = (actor: Actor, typed: string) => sql<string>`
  SELECT x.id FROM bills x WHERE ${numberStarts(sql`x.number`, typed)}
  UNION ALL
  SELECT x.id FROM registrations z JOIN bills x ON x.registration_id = z.id WHERE ${registrationMatches(actor, typed, 'z')}`

const isFound = (actor: Actor, typed: string) => sql<boolean>`b.id IN (${idsOfFound(actor, typed)})`

/** Condition of `isFound` for text with many hits. Tested row by row in list order, because the page fills up soon. */
const isCalled = (actor: Actor, typed: string) =>
  sql<boolean>`(${numberStarts(sql`b.number`, typed)} OR ${registrationMatches(actor, typed)})`

const unlessCancelled = (amount: RawBuilder<unknown>) => sql`CASE WHEN b.status = 'cancelled' THEN 0 ELSE ${amount} END`
const remaining = sql<number>`CASE WHEN b.status IN ('open', 'partly_paid') THEN b.total - b.paid ELSE 0 END`

/** Bills the actor may see, and their totals. */
export const billSource = ({ db }: Pick<Services, 'db'>) =>
  sourceFor(listBills, {
    from: () => billsOfRegistrations(db),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      status: 'b.status',
      kind: 'b.kind',
      overdue:
        (overdue, { now }) =>
        (eb) =>
          overdue === 'true'
            ? eb.and([eb('b.status', 'in', owedStatuses), eb('b.dueAt', '<', now)])
            : eb.or([eb('b.status', 'not in', owedStatuses), eb('b.dueAt', '>=', now), eb('b.dueAt', 'is', null)]),
      promise: (promise, { now }) => promised[promise](now),
      waveId: 'r.waveId',
      programmeId: (programmeId, { actor, now }) => programmeIs(actor, now, programmeId),
      from: sinceDay('b.issuedAt'),
      to: untilDay('b.issuedAt'),
      q: { find: (typed, { actor }) => isFound(actor, typed), test: (typed, { actor }) => isCalled(actor, typed) },
    },
    rows: ({ actor, now }) =>
      billsOfRegistrations(db).select((eb) => [
        'b.id',
        'b.number',
        'b.kind',
        'b.status',
        'b.total',
        'b.paid',
        remaining.as('rest'),
        'b.dueAt',
        'b.issuedAt',
        'b.paidAt',
        'b.promisedUntil',
        'r.id as registrationId',
        'r.code as registrationCode',
        eb
          .selectFrom('applicants')
          .select('fullName')
          .whereRef('applicants.id', '=', 'r.applicantId')
          .as('applicantName'),
        eb
          .selectFrom('studyProgrammes')
          .select('name')
          .where('studyProgrammes.id', '=', programmeSql(actor, now))
          .as('programme'),
      ]),
    sorts: {
      issuedAt: { by: sql`b.issued_at`, type: 'timestamptz' },
      dueAt: { by: sql`b.due_at` },
      total: { by: sql`b.total`, type: 'bigint' },
    },
    id: sql`b.id`,
    sums: { total: unlessCancelled(sql`b.total`), paid: sql`b.paid`, rest: remaining },
    exact: true,
    toRows: (found, { now }) =>
      found.map((row) => ({ ...row, overdue: isOverdue(row, now), promise: promiseState(row, now) })),
  })

export const serveBills = (app: App, services: Services) => serveList(app, services, listBills, billSource(services))

/** Whole rupiah of a payment that can be moved to the bill `b`: money that waits and money on other bills. */
const movableTo = (paymentId: string | undefined) =>
  paymentId === undefined
    ? sql<number | null>`NULL`
    : sql<number | null>`(SELECT p.amount - p.refunded_amount - (SELECT coalesce(sum(a.amount), 0) FROM allocations a
        WHERE a.payment_id = p.id AND a.bill_id = b.id) FROM payments p WHERE p.id = ${paymentId}
        AND p.status <> 'reversed' AND coalesce(p.account_id, b.account_id) = b.account_id)::bigint`

/** With more hits than this, a field is offered the newest of them instead of all. */
const fewBills = 1_000

/**
 * Condition for owed bills that match the text, for the few choices of a field. Few hits are found by index; with many,
 * the query walks the bills in order instead.
 */
export async function owedBillsCalled(db: Db, actor: Actor, typed: string | undefined) {
  const isOwedBill = sql<boolean>`b.status IN ('open', 'partly_paid') AND ${visibleTo(actor)}`
  if (typed === undefined) return { isFew: false, condition: isOwedBill }
  const { rows } = await sql<{ id: string }>`SELECT found.id FROM (${idsOfFound(actor, typed)}) found
    LIMIT ${sql.lit(fewBills + 1)}`.execute(db)
  const isFew = rows.length <= fewBills
  const called = isFew ? sql`b.id = ANY(${rows.map(({ id }) => id)}::uuid[])` : isCalled(actor, typed)
  return { isFew, condition: sql<boolean>`${isOwedBill} AND ${called}` }
}

/** A few owed bills as choices of a field; with `paymentId`, only bills the payment can be moved to. */
export async function findOwedBills({ db }: Services, actor: Actor, { q, registrationId, paymentId }: OwedBillsQuery) {
  const { isFew, condition } = await owedBillsCalled(db, actor, q)
  const isNarrow = isFew || registrationId !== undefined || paymentId !== undefined
  return billsOfRegistrations(db)
    .where(condition)
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['b.id', 'b.number', 'b.kind', 'r.code as registrationCode', 'a.fullName as applicantName'])
    .select([sql<number>`b.total - b.paid`.as('rest'), movableTo(paymentId).as('movable')])
    .$if(paymentId !== undefined, (rows) => rows.where(movableTo(paymentId), '>', 0))
    .$call((rows) => (registrationId === undefined ? rows : rows.where('b.registrationId', '=', registrationId)))
    .$if(isNarrow, (rows) => rows.orderBy('a.fullName').orderBy('b.issuedAt'))
    .$if(!isNarrow, (rows) => rows.orderBy('b.issuedAt', 'desc').orderBy('b.id', 'desc'))
    .limit(sql.lit(20))
    .execute()
}
