import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'

/** The list of virtual accounts written by hand: only Fastify, pg and the product's SQL. */
const query = namedStatements()
const joins = `FROM virtual_accounts v LEFT JOIN bills b ON b.id = v.bill_id LEFT JOIN registrations r ON r.id = b.registration_id
  LEFT JOIN applicants a ON a.id = r.applicant_id LEFT JOIN installments i ON i.id = v.installment_id`
const columns = `SELECT v.id, v.number, v.provider, v.bank, v.status, v.problem, v.amount_type, v.amount, v.received, v.expires_at,
  v.created_at, v.bill_id, b.number AS bill_number, b.kind AS bill_kind, i.position, r.id AS registration_id,
  r.code AS registration_code, a.full_name AS applicant_name,
  EXISTS (SELECT FROM payment_alerts l WHERE l.virtual_account_id = v.id AND l.settled_at IS NULL) AS alert,
  v.created_at::text AS cursor_value, v.id::text AS cursor_id`
const isFound = (parameter: number) => `v.id IN (
  SELECT x.id FROM virtual_accounts x WHERE x.number LIKE $${parameter}
  UNION SELECT x.id FROM bills y JOIN virtual_accounts x ON x.bill_id = y.id WHERE lower(y.number) LIKE $${parameter}
  UNION SELECT x.id FROM registrations z JOIN bills y ON y.registration_id = z.id JOIN virtual_accounts x ON x.bill_id = y.id
    WHERE z.search_text LIKE '%' || $${parameter})`
const isCalled = (parameter: number) => `(v.number LIKE $${parameter} OR EXISTS (
  SELECT FROM bills y JOIN registrations z ON z.id = y.registration_id
  WHERE y.id = v.bill_id AND (lower(y.number) LIKE $${parameter} OR z.search_text LIKE '%' || $${parameter})))`

type Query = Partial<Record<'status' | 'bank' | 'kind' | 'q', string>> & { page: string; per_page: string }

const app = Fastify()
app.get<{ Querystring: Query }>('/', async ({ query: asked }) => {
  const values: unknown[] = []
  const conditionOn = (condition: (parameter: number) => string, value: string | undefined) =>
    value === undefined ? [] : [condition(values.push(value))]
  const conditions = [
    ...conditionOn((parameter) => `v.bank = $${parameter}`, asked.bank),
    ...conditionOn((parameter) => `v.status = $${parameter}`, asked.status),
    ...conditionOn((parameter) => `v.bill_id IN (SELECT y.id FROM bills y WHERE y.kind = $${parameter})`, asked.kind),
  ]
  const pattern = asked.q && `${asked.q}%`
  if (pattern) values.push(pattern)
  const where = (search: (parameter: number) => string) =>
    [...conditions, ...(pattern ? [search(values.length)] : [])].join(' AND ') || 'true'
  const size = Number(asked.per_page)
  const limitClause = `LIMIT ${size + 1} OFFSET ${(Number(asked.page) - 1) * size}`
  const matchingSql = `SELECT 1 AS one, v.amount, v.received FROM virtual_accounts v WHERE ${where(isFound)}`
  const totals = await query(
    `SELECT count(*)::int AS total, coalesce(sum(amount), 0)::bigint AS amount, coalesce(sum(received), 0)::bigint AS received
     FROM (${matchingSql} LIMIT 10001) counted`,
    values,
  )
  const { total, amount, received } = totals.rows[0]
  const keys = (search: typeof isFound) =>
    `SELECT v.id, v.created_at AS key FROM virtual_accounts v WHERE ${where(search)}`
  // As in the product: walks the index in sort order if there are many matches, and sorts them if there are few.
  const ids =
    total > 10_000
      ? `SELECT id FROM (${keys(isCalled)} ORDER BY v.created_at DESC, v.id DESC ${limitClause}) walked`
      : `SELECT id FROM (${keys(isFound)} OFFSET 0) found ORDER BY key DESC, id DESC ${limitClause}`
  const [rows, plan] = await Promise.all([
    query(`${columns} ${joins} WHERE v.id IN (${ids}) ORDER BY v.created_at DESC, v.id DESC`, values),
    total > 10_000 ? query(`EXPLAIN (FORMAT JSON) ${matchingSql}`, values) : undefined,
  ])
  const estimate = plan?.rows[0]['QUERY PLAN'][0].Plan['Plan Rows'] ?? total
  const scaled = (sum: string) => Math.round((Number(sum) / Math.max(total, 1)) * estimate)
  return {
    data: rows.rows.slice(0, size),
    meta: { total: estimate, sums: { amount: scaled(amount), received: scaled(received) } },
  }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
