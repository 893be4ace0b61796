import { sql } from 'kysely'
import { listDays, listDifferences, listStatementLines } from '#domain/payments/reconciliation/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { bankReference } from '#server/platform/bank-reference.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import { notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { requestsAboutLines } from './lines/record-line.ts'
import { readAmount } from './statements/statement-values.ts'

/* ---------- lines ---------- */

const linesFrom = (db: Db) =>
  db
    .selectFrom('statementLines as s')
    .innerJoin('bankAccounts as a', 'a.id', 's.bankAccountId')
    .leftJoin('accounts as c', 'c.id', 's.settledBy')
    .leftJoin('payments as p', 'p.id', 's.paymentId')
    .leftJoin('statementLines as k', 'k.id', 's.similarTo')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .leftJoin('applicants as n', 'n.id', 'r.applicantId')

const lineColumns = [
  's.id',
  'a.name as accountName',
  's.day',
  's.amountSen',
  's.reference',
  's.description',
  's.balanceSen',
  's.reversal',
  's.raw',
  's.state',
  's.matchedBy',
  's.explanation',
  's.reason',
  's.settledAt',
  'c.name as settledBy',
  's.paymentId',
  'k.id as similarId',
  'k.description as similarDescription',
  'k.reference as similarReference',
  'k.raw as similarRaw',
  's.releaseReason',
  'p.amount as paymentAmount',
  'p.receiptNumber',
  'p.virtualAccountNumber',
  bankReference.as('bankReference'),
  'n.fullName as applicantName',
] as const

const findLine = (db: Db) => linesFrom(db).select(lineColumns).executeTakeFirstOrThrow()
type LineFound = Awaited<ReturnType<typeof findLine>>

/** Lines for a list, each with a pending request to record it. */
async function shownLines(db: Db, rows: readonly LineFound[]) {
  const fresh = rows.filter(({ state }) => state === 'new').map(({ id }) => id)
  const pending = await requestsAboutLines(db, fresh)
  return rows.map((row) => ({ ...shownLine(row), pending: pending.get(row.id) ?? null }))
}

function shownLine(row: LineFound) {
  const {
    paymentId,
    paymentAmount,
    receiptNumber,
    virtualAccountNumber,
    bankReference: called,
    applicantName,
    ...rest
  } = row
  const { similarId, similarDescription, similarReference, similarRaw, ...line } = rest
  const similar = similarId && {
    id: similarId,
    words: [similarReference, similarDescription].filter(Boolean).join(' · '),
    raw: similarRaw!,
  }
  const payment = paymentId && {
    id: paymentId,
    label: receiptNumber ?? virtualAccountNumber ?? called ?? '',
    amount: paymentAmount!,
    applicantName,
  }
  return { ...line, payment: payment || null, similar: similar || null }
}

const plain = { decimal: ',', thousands: '' } as const

/** Condition for a typed sum, credit or debit. If typed without sen, it also finds lines with sen. */
const sameSum = (amountSen: number, exact: boolean) =>
  exact
    ? sql<boolean>`s.amount_sen IN (${amountSen}, ${-amountSen})`
    : sql<boolean>`(s.amount_sen BETWEEN ${amountSen} AND ${amountSen + 99} OR s.amount_sen BETWEEN ${-amountSen - 99} AND ${-amountSen})`

/** Lines whose reference or description contains the typed text, or whose sum it is. */
function searched(q: string) {
  const typed = q.toLowerCase()
  const amount = /^(?:rp\s*)?[\d.]+(?:,\d{1,2})?$/.test(typed) ? readAmount(typed.replaceAll('.', ''), plain) : null
  const words = contains(sql`s.reference || ' ' || s.description`, q)
  return amount && 'amountSen' in amount
    ? sql<boolean>`(${words} OR ${sameSum(amount.amountSen, typed.includes(','))})`
    : words
}

/** Statements are visible only to roles that see the whole university. */
const ofWholeUniversity = ofWholeView('statements_need_whole_view')

const serveLines = (app: App, services: Services) =>
  serveList(app, services, listStatementLines, {
    from: () => linesFrom(services.db),
    scope: ofWholeUniversity,
    filters: {
      bankAccountId: 's.bankAccountId',
      importId: 's.importId',
      state: 's.state',
      direction: (direction) => (eb) => eb('s.amountSen', direction === 'in' ? '>' : '<', 0),
      from: (day) => (eb) => eb('s.day', '>=', day),
      to: (day) => (eb) => eb('s.day', '<=', day),
      q: searched,
    },
    columns: (rows) => rows.select(lineColumns),
    sorts: { day: { by: sql`s.day`, type: 'date' }, amountSen: { by: sql`s.amount_sen`, type: 'bigint' } },
    id: sql`s.id`,
    toRows: (found, { connection }) => shownLines(connection, found),
    toCells: ({ payment }) => ({ applicantName: payment?.applicantName }),
  })

/* ---------- days ---------- */

const dayColumns = [
  'd.id',
  'd.bankAccountId',
  'a.name as accountName',
  'd.day',
  'd.state',
  'd.ledgerCount',
  'd.ledgerTotal',
  'd.reportedCount',
  'd.reportedTotal',
  'd.statementCount',
  'd.statementTotalSen',
  'd.explainedTotalSen',
  'd.hasStatement',
  'd.differences',
  'd.openDifferences',
  'd.computedAt',
] as const

const daysFrom = (db: Db) =>
  db.selectFrom('reconciliationDays as d').innerJoin('bankAccounts as a', 'a.id', 'd.bankAccountId')

type Day = Awaited<ReturnType<typeof findDay>>
const findDay = (db: Db) => daysFrom(db).select(dayColumns).executeTakeFirstOrThrow()
const shownDay = (row: Day) => ({ ...row, state: row.state as 'open' | 'no_statement' | 'balanced' })

const serveDays = (app: App, services: Services) =>
  serveList(app, services, listDays, {
    from: () => daysFrom(services.db),
    scope: ofWholeUniversity,
    filters: {
      bankAccountId: 'd.bankAccountId',
      state: 'd.state',
      from: (day) => (eb) => eb('d.day', '>=', day),
      to: (day) => (eb) => eb('d.day', '<=', day),
      q: (q) => contains('a.name', q),
    },
    columns: (rows) => rows.select(dayColumns),
    sorts: { day: { by: sql`d.day`, type: 'date' } },
    id: sql`d.id`,
    toRows: (found) => found.map(shownDay),
  })

export async function readDay({ db }: Services, id: string) {
  const day = await daysFrom(db).select(dayColumns).where('d.id', '=', id).executeTakeFirst()
  if (!day) throw notFound('reconciliation day')
  const list = await differencesFrom(db)
    .select(differenceColumns)
    .select('x.statementLineId')
    .where('x.reconciliationDayId', '=', id)
    .orderBy(sql`x.settled_at IS NOT NULL`)
    .orderBy('x.kind')
    .orderBy('x.foundAt')
    .orderBy('x.id')
    .limit(1_000)
    .execute()
  const lineIds = list.flatMap(({ statementLineId }) => statementLineId ?? [])
  const about = lineIds.length ? await linesFrom(db).select(lineColumns).where('s.id', 'in', lineIds).execute() : []
  const lineById = new Map((await shownLines(db, about)).map((line) => [line.id, line]))
  return {
    ...shownDay(day),
    list: list.map(({ statementLineId, ...row }) => ({
      ...shownDifference(row),
      line: (statementLineId && lineById.get(statementLineId)) || null,
    })),
  }
}

/* ---------- differences ---------- */

const differencesFrom = (db: Db) =>
  db
    .selectFrom('reconciliationDifferences as x')
    .innerJoin('reconciliationDays as d', 'd.id', 'x.reconciliationDayId')
    .innerJoin('bankAccounts as a', 'a.id', 'd.bankAccountId')
    .leftJoin('accounts as c', 'c.id', 'x.settledBy')
    .leftJoin('payments as p', 'p.id', 'x.paymentId')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .leftJoin('applicants as n', 'n.id', 'r.applicantId')

const differenceColumns = [
  'x.id',
  'x.kind',
  'x.label',
  'x.ledgerAmount',
  'x.reportedAmount',
  'x.statementAmountSen',
  'x.paymentId',
  'x.foundAt',
  'x.settledAt',
  'x.settledHow',
  'x.reason',
  'c.name as settledBy',
  'n.fullName as applicantName',
  'd.id as dayId',
  'd.day',
  'a.name as accountName',
] as const

const findDifference = (db: Db) => differencesFrom(db).select(differenceColumns).executeTakeFirstOrThrow()
type DifferenceFound = Awaited<ReturnType<typeof findDifference>>
const shownDifference = ({ paymentId, applicantName, ...row }: DifferenceFound) => ({
  ...row,
  payment: paymentId ? { id: paymentId, applicantName } : null,
})

const serveDifferences = (app: App, services: Services) =>
  serveList(app, services, listDifferences, {
    from: () => differencesFrom(services.db),
    scope: ofWholeUniversity,
    filters: {
      bankAccountId: 'd.bankAccountId',
      kind: 'x.kind',
      settled: (settled) => (eb) => eb('x.settledAt', settled === 'true' ? 'is not' : 'is', null),
      from: (day) => (eb) => eb('d.day', '>=', day),
      to: (day) => (eb) => eb('d.day', '<=', day),
      q: (q) => contains('x.label', q),
    },
    columns: (rows) => rows.select(differenceColumns),
    sorts: { foundAt: { by: sql`x.found_at`, type: 'timestamptz' } },
    id: sql`x.id`,
    toRows: (found) => found.map((row) => ({ ...shownDifference(row), settled: row.settledAt !== null })),
    toCells: ({ payment }) => ({ applicantName: payment?.applicantName }),
  })

/** Lines, days and differences of the reconciliation. */
export function serveReconciliationLists(app: App, services: Services) {
  serveLines(app, services)
  serveDays(app, services)
  serveDifferences(app, services)
}
