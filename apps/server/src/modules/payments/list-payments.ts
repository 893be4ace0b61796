import { sql } from 'kysely'
import type { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import type { listPayments as listed } from '#domain/payments/endpoints.ts'
import type { Actor } from '#server/platform/authorization.ts'
import { type Db, likePattern } from '#server/platform/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { refusingCursor } from '#server/platform/page.ts'
import { paymentsVisibleTo } from '#server/platform/row-scope.ts'
import type { Services } from '#server/platform/services.ts'
import { bankName } from './providers/index.ts'

type Query = z.output<typeof listed.query>
type Filters = Omit<Query, 'after' | 'per_page'>

/** Beyond this the count is an estimate, so that no list costs a scan of everything. */
const countLimit = 10_000

export function filtered(db: Db, actor: Actor, query: Filters) {
  return db
    .selectFrom('payments as p')
    .leftJoin('virtualAccounts as v', 'v.id', 'p.virtualAccountId')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .where(paymentsVisibleTo(actor))
    .$if(query.status !== undefined, (q) => q.where('p.status', '=', query.status!))
    .$if(query.kind !== undefined, (q) => q.where('b.kind', '=', query.kind!))
    .$if(query.from !== undefined, (q) => q.where('p.receivedAt', '>=', universityCalendar().startOfDay(query.from!)))
    .$if(query.to !== undefined, (q) => q.where('p.receivedAt', '<', universityCalendar().boundsOfDay(query.to!)[1]))
    .$if(Boolean(query.q), (q) => {
      const typed = query.q!
      const starts = `${likePattern(typed).slice(1)}`
      return q.where((eb) =>
        eb.or([
          eb('p.receiptNumber', 'like', starts.toUpperCase()),
          eb('p.virtualAccountNumber', 'like', starts.replaceAll(' ', '')),
          // Its own subquery, so that the trigram index of the registrations answers it.
          eb('b.registrationId', 'in', (inner) =>
            inner
              .selectFrom('registrations')
              .select('id')
              .where('searchText', 'like', likePattern(typed.toLowerCase())),
          ),
        ]),
      )
    })
}

export async function listPayments(services: Services, actor: Actor, query: Query) {
  const { db } = services
  const rows = await filtered(db, actor, query)
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .selectAll('p')
    .select([
      'v.bank',
      'b.number as billNumber',
      'b.kind as billKind',
      'r.id as registrationId',
      'r.code as registrationCode',
      'a.fullName as applicantName',
    ])
    .$if(query.after !== undefined, (q) => {
      const { at, id } = cursor(query.after!)
      return q.where(sql<boolean>`(p.received_at, p.id) < (${at}, ${id}::uuid)`)
    })
    .orderBy('p.receivedAt', 'desc')
    .orderBy('p.id', 'desc')
    .limit(query.per_page + 1)
    .execute()
    .catch(refusingCursor(query.after))
  const { count } = await db
    .selectFrom(
      filtered(db, actor, query)
        .select('p.id')
        .limit(countLimit + 1)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const page = rows.slice(0, query.per_page)
  const last = page.at(-1)
  return {
    data: page.map((row) => ({
      ...row,
      allocated: allocatedOf(row),
      bankName: row.bank ? bankName(services, row.bank) : row.provider,
    })),
    meta: {
      total: Math.min(count, countLimit),
      total_is_estimate: count > countLimit,
      next: rows.length > page.length && last ? `${last.receivedAt.toISOString()}_${last.id}` : null,
    },
  }
}

type Sums = { status: string; amount: number; waitingAmount: number; refundedAmount: number }

/** Whole rupiah of a payment that pay bills. */
export const allocatedOf = ({ status, amount, waitingAmount, refundedAmount }: Sums) =>
  status === 'reversed' ? 0 : amount - waitingAmount - refundedAmount

/** What the payments of a filter add up to in whole rupiah; one that was taken back counts for nothing. */
export const paymentTotals = ({ db }: Services, actor: Actor, query: Filters) =>
  filtered(db, actor, query)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(p.amount) FILTER (WHERE p.status <> 'reversed'), 0)::bigint`.as('amount'),
      sql<number>`coalesce(sum(p.amount - p.waiting_amount - p.refunded_amount) FILTER (WHERE p.status <> 'reversed'), 0)::bigint`.as(
        'allocated',
      ),
      sql<number>`coalesce(sum(p.waiting_amount), 0)::bigint`.as('waiting'),
      sql<number>`coalesce(sum(p.refunded_amount), 0)::bigint`.as('refunded'),
    ])
    .executeTakeFirstOrThrow()

function cursor(after: string) {
  const [time = '', id = ''] = after.split('_')
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || !/^[0-9a-f-]{36}$/.test(id)) throw invalid({ after: 'invalid_input' })
  return { at, id }
}
