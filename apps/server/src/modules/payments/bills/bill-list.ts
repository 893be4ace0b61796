import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { FiltersOf } from '#domain/list.ts'
import { billStatuses, isOverdue, isOwed } from '#domain/payments/bills/bill-status.ts'
import type { OwedBillsQuery } from '#domain/payments/bills/endpoints.ts'
import { listBills } from '#domain/payments/bills/lists.ts'
import { type PromiseState, promiseState } from '#domain/payments/bills/promise.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeIs, programmeSql } from '#server/platform/access/decision-scope.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { type Db, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

type Filters = FiltersOf<typeof listBills>

const owedStatuses = billStatuses.filter(isOwed)

/** Conditions that agree with `promiseState`; each uses the index of promised bills. */
const promised: Record<PromiseState, (now: Date) => RawBuilder<SqlBool>> = {
  open: (now) => sql`b.promised_until >= ${now} AND b.status IN ('open', 'partly_paid')`,
  kept: () => sql`b.promised_until IS NOT NULL AND b.status IN ('paid', 'waived', 'guaranteed')
    AND (b.paid_at IS NULL OR b.paid_at <= b.promised_until)`,
  broken: (now) => sql`b.promised_until < ${now} AND (b.status IN ('open', 'partly_paid')
    OR (b.status IN ('paid', 'waived', 'guaranteed') AND b.paid_at > b.promised_until))`,
}

export function matchingBills(db: Db, actor: Actor, now: Date, filters: Filters) {
  const { status, kind, overdue, promise, waveId, programmeId, from, to, q } = filters
  return db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .where(visibleTo(actor))
    .$if(status !== undefined, (rows) => rows.where('b.status', '=', status!))
    .$if(kind !== undefined, (rows) => rows.where('b.kind', '=', kind!))
    .$if(overdue === 'true', (rows) => rows.where('b.status', 'in', owedStatuses).where('b.dueAt', '<', now))
    .$if(overdue === 'false', (rows) =>
      rows.where((eb) =>
        eb.or([eb('b.status', 'not in', owedStatuses), eb('b.dueAt', '>=', now), eb('b.dueAt', 'is', null)]),
      ),
    )
    .$if(promise !== undefined, (rows) => rows.where(promised[promise!](now)))
    .$if(waveId !== undefined, (rows) => rows.where('r.waveId', '=', waveId!))
    .$if(programmeId !== undefined, (rows) => rows.where(programmeIs(actor, now, programmeId!)))
    .$if(from !== undefined, (rows) => rows.where('b.issuedAt', '>=', universityCalendar().startOfDay(from!)))
    .$if(to !== undefined, (rows) => rows.where('b.issuedAt', '<', universityCalendar().boundsOfDay(to!)[1]))
    .$if(q !== undefined, (rows) =>
      rows.where((eb) =>
        eb.or([
          eb('b.number', 'like', likePattern(q!.toUpperCase()).slice(1)),
          eb('b.registrationId', 'in', (inner) =>
            inner
              .selectFrom('registrations')
              .select('id')
              .where(registrationMatches(actor, q!, 'registrations')),
          ),
        ]),
      ),
    )
}

const unlessCancelled = (amount: RawBuilder<unknown>) => sql`CASE WHEN b.status = 'cancelled' THEN 0 ELSE ${amount} END`
const remaining = sql<number>`CASE WHEN b.status IN ('open', 'partly_paid') THEN b.total - b.paid ELSE 0 END`

/** Bills the actor may see, and their totals. */
export const serveBills = (app: App, services: Services) =>
  serveList(app, services, listBills, {
    from: ({ actor, now }, filters) => matchingBills(services.db, actor, now, filters),
    columns: (rows, { actor, now }) =>
      rows.select((eb) => [
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

/** Whole rupiah of a payment that can be moved to the bill `b`: money that waits and money on other bills. */
const movableTo = (paymentId: string | undefined) =>
  paymentId === undefined
    ? sql<number | null>`NULL`
    : sql<number | null>`(SELECT p.amount - p.refunded_amount - (SELECT coalesce(sum(a.amount), 0) FROM allocations a
        WHERE a.payment_id = p.id AND a.bill_id = b.id) FROM payments p WHERE p.id = ${paymentId}
        AND p.status <> 'reversed' AND coalesce(p.account_id, b.account_id) = b.account_id)::bigint`

/** A few bills with something left to pay, as choices of a field; for a payment, the bills it can be moved to. */
export const findOwedBills = (
  { db, clock }: Services,
  actor: Actor,
  { q, registrationId, paymentId }: OwedBillsQuery,
) =>
  matchingBills(db, actor, clock.now(), { q })
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['b.id', 'b.number', 'b.kind', 'r.code as registrationCode', 'a.fullName as applicantName'])
    .select([sql<number>`b.total - b.paid`.as('rest'), movableTo(paymentId).as('movable')])
    .where('b.status', 'in', owedStatuses)
    .$if(paymentId !== undefined, (rows) => rows.where(movableTo(paymentId), '>', 0))
    .$if(registrationId !== undefined, (rows) => rows.where('b.registrationId', '=', registrationId!))
    .orderBy('a.fullName')
    .orderBy('b.issuedAt')
    .limit(20)
    .execute()
