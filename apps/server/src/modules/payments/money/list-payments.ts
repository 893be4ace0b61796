import { type RawBuilder, sql } from 'kysely'
import { listPayments } from '#domain/payments/money/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import { allocatedOf } from '#server/modules/payments/bills/allocated.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { paymentsVisibleTo } from '#server/platform/access/row-scope.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import { type Db, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'

/**
 * Ids of payments whose receipt or transfer number starts with the text, or whose applicant matches it; each part uses
 * its own index.
 */
export const idsOfFoundPayments = (actor: Actor, typed: string) => sql<string>`
  SELECT x.id FROM payments x WHERE x.receipt_number LIKE ${starts(typed.toUpperCase())}
  UNION ALL
  SELECT x.id FROM payments x WHERE x.virtual_account_number LIKE ${starts(typed.replaceAll(' ', ''))}
  UNION ALL
  SELECT x.id FROM registrations z JOIN bills y ON y.registration_id = z.id JOIN payments x ON x.bill_id = y.id
   WHERE ${registrationMatches(actor, typed, 'z')}`

const isFound = (actor: Actor, typed: string) => sql<boolean>`p.id IN (${idsOfFoundPayments(actor, typed)})`

/** Condition of `isFound` for text with many hits. Tested row by row in list order, because the page fills up soon. */
const isCalled = (actor: Actor, typed: string) => sql<boolean>`(p.receipt_number LIKE ${starts(typed.toUpperCase())}
  OR p.virtual_account_number LIKE ${starts(typed.replaceAll(' ', ''))} OR ${registrationMatches(actor, typed)})`

const starts = (text: string) => likePattern(text).slice(1)

const paymentsOfBills = (db: Db) =>
  db
    .selectFrom('payments as p')
    .leftJoin('virtualAccounts as v', 'v.id', 'p.virtualAccountId')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')

const unlessReversed = (amount: RawBuilder<unknown>) => sql`CASE WHEN p.status = 'reversed' THEN 0 ELSE ${amount} END`

export const servePayments = (app: App, services: Services) =>
  serveList(app, services, listPayments, {
    from: () => paymentsOfBills(services.db),
    scope: ({ actor }) => paymentsVisibleTo(actor),
    filters: {
      status: 'p.status',
      kind: 'b.kind',
      from: sinceDay('p.receivedAt'),
      to: untilDay('p.receivedAt'),
      q: { find: (typed, { actor }) => isFound(actor, typed), test: (typed, { actor }) => isCalled(actor, typed) },
    },
    rows: () =>
      paymentsOfBills(services.db)
        .leftJoin('applicants as a', 'a.id', 'r.applicantId')
        .selectAll('p')
        .select([
          'v.bank',
          'b.number as billNumber',
          'b.kind as billKind',
          'r.id as registrationId',
          'r.code as registrationCode',
          'a.fullName as applicantName',
        ]),
    sorts: { receivedAt: { by: sql`p.received_at`, type: 'timestamptz' } },
    id: sql`p.id`,
    sums: {
      amount: unlessReversed(sql`p.amount`),
      allocated: unlessReversed(sql`p.amount - p.waiting_amount - p.refunded_amount`),
      waiting: sql`p.waiting_amount`,
      refunded: sql`p.refunded_amount`,
    },
    exact: true,
    toRows: (found, { language }) =>
      found.map((row) => {
        const bank = row.bank && bankName(services, row.bank)
        return {
          ...row,
          allocated: allocatedOf(row),
          bankName: bank ?? row.provider,
          through: bank ?? sentences(language)(`bills:manual.${row.channel === 'cash' ? 'cash' : 'transfer'}`),
          paymentReference: bankReferenceOf(row),
        }
      }),
  })
