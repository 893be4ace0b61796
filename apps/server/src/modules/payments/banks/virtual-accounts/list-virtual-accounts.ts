import { type SelectQueryBuilder, sql } from 'kysely'
import { listVirtualAccounts } from '#domain/payments/banks/virtual-accounts/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { sinceDay, untilDay } from '#server/list/within-days.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { registrationMatches } from '#server/platform/access/registration-search.ts'
import { seesAll, visibleTo } from '#server/platform/access/row-scope.ts'
import { type Db, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

const starts = (text: string) => likePattern(text).slice(1)
/**
 * Pattern for numbers that start with the typed digits. For other text it starts with a hyphen, which no number does.
 */
const numberStart = (typed: string) => {
  const digits = typed.replace(/[ -]/g, '')
  return starts(/^\d+$/.test(digits) ? digits : '-')
}

/**
 * Numbers and bills that start with the typed text, and people whose name contains it. Each part uses its own index; a
 * single OR condition would use none.
 */
const isFound = (actor: Actor, typed: string) => sql<boolean>`v.id IN (
  SELECT x.id FROM virtual_accounts x WHERE x.number LIKE ${numberStart(typed)}
  UNION
  SELECT x.id FROM bills y JOIN virtual_accounts x ON x.bill_id = y.id
   WHERE lower(y.number) LIKE ${starts(typed.toLowerCase())}
  UNION
  SELECT x.id FROM registrations z JOIN bills y ON y.registration_id = z.id JOIN virtual_accounts x ON x.bill_id = y.id
   WHERE ${registrationMatches(actor, typed, 'z')})`

/** Condition of `isFound` for words with many hits. Tested row by row in list order, because the page fills up soon. */
const isCalled = (actor: Actor, typed: string) => sql<boolean>`(v.number LIKE ${numberStart(typed)} OR EXISTS (
  SELECT FROM bills y JOIN registrations z ON z.id = y.registration_id
   WHERE y.id = v.bill_id
     AND (lower(y.number) LIKE ${starts(typed.toLowerCase())} OR ${registrationMatches(actor, typed, 'z')})))`

const isVisibleTo = (db: Db, actor: Actor) =>
  sql<boolean>`v.bill_id IN (${db
    .selectFrom('bills as y')
    .innerJoin('registrations as r', 'r.id', 'y.registrationId')
    .select('y.id')
    .where(visibleTo(actor))})`

const withAlert = sql`SELECT l.virtual_account_id FROM payment_alerts l WHERE l.settled_at IS NULL`
const hasAlert = sql<boolean>`EXISTS (SELECT FROM payment_alerts l WHERE l.virtual_account_id = v.id AND l.settled_at IS NULL)`

const numberColumns = [
  'v.id',
  'v.number',
  'v.provider',
  'v.bank',
  'v.status',
  'v.problem',
  'v.amountType',
  'v.amount',
  'v.received',
  'v.expiresAt',
  'v.createdAt',
  'v.billId',
  'b.number as billNumber',
  'b.kind as billKind',
  'i.position',
  'r.id as registrationId',
  'r.code as registrationCode',
  'a.fullName as applicantName',
] as const

/** Every number with its bill and names, not limited to an actor. */
const allNumbers = (db: Db) =>
  db
    .selectFrom('virtualAccounts as v')
    .leftJoin('bills as b', 'b.id', 'v.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('installments as i', 'i.id', 'v.installmentId')
    .select(numberColumns)
    .select(hasAlert.as('alert'))

/** Numbers the actor may see. */
export const findNumbers = (db: Db, actor: Actor) =>
  seesAll(actor) ? allNumbers(db) : allNumbers(db).where(isVisibleTo(db, actor))
type Found = ReturnType<typeof allNumbers> extends SelectQueryBuilder<infer _DB, infer _TB, infer O> ? O : never

/** Every number has a bill and the rows it refers to, so the joins never return null. */
type Filled = { [K in keyof Found]: K extends 'number' | 'problem' | 'position' ? Found[K] : NonNullable<Found[K]> }

export const toRow = (services: Services, found: Found) => {
  const { problem, ...row } = found as Filled
  return { ...row, bankName: bankName(services, row.bank), delayed: row.status === 'pending' && problem !== null }
}

export const serveVirtualAccounts = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listVirtualAccounts, {
    from: () => db.selectFrom('virtualAccounts as v'),
    scope: ({ actor }) => (seesAll(actor) ? 'everyone' : isVisibleTo(db, actor)),
    // Conditions name only columns of the number's own row, so that an index can serve them.
    filters: {
      bank: 'v.bank',
      provider: 'v.provider',
      status: 'v.status',
      kind: (kind) => sql<boolean>`v.bill_id IN (SELECT y.id FROM bills y WHERE y.kind = ${kind})`,
      expiresFrom: sinceDay('v.expiresAt'),
      expiresTo: untilDay('v.expiresAt'),
      createdFrom: sinceDay('v.createdAt'),
      createdTo: untilDay('v.createdAt'),
      alert: (alert) => (alert === 'true' ? sql<boolean>`v.id IN (${withAlert})` : sql<boolean>`NOT ${hasAlert}`),
      q: { find: (typed, { actor }) => isFound(actor, typed), test: (typed, { actor }) => isCalled(actor, typed) },
    },
    countsFirst: true,
    rows: () => allNumbers(db),
    sorts: {
      createdAt: { by: sql`v.created_at`, type: 'timestamptz' },
      expiresAt: { by: sql`v.expires_at`, type: 'timestamptz' },
    },
    id: sql`v.id`,
    sums: { amount: sql`v.amount`, received: sql`v.received` },
    toRows: (found) => found.map((row) => toRow(services, row)),
    nameOf: (filter, value) => (filter === 'bank' ? bankName(services, value) : undefined),
  })
}
