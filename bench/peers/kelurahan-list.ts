import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'

/** The list of villages written by hand: only Fastify, pg and the product's SQL. */
const query = namedStatements()
const where = 'WHERE (lower(t.code) LIKE $1 OR t.name ILIKE $2)'
const order = 'ORDER BY t.code ASC, t.id ASC'
const page = (size: number, offset: number) => `
  SELECT t.id, t.active, t.version, t.created_at, t.updated_at, t.district_id, t.code, t.name, t.postal_code,
    jsonb_build_object('updatedBy', (SELECT a.name FROM accounts a WHERE a.id = t.updated_by), 'districtId',
      (SELECT concat_ws(' · ', r.name) FROM districts r WHERE r.id = t.district_id)) AS titles
  FROM (SELECT t.* FROM villages t ${where} ${order} LIMIT ${size + 1} OFFSET ${offset}) t ${order}`
const total = `SELECT count(*)::int AS total FROM (SELECT 1 FROM villages t ${where} LIMIT 10001) counted`

const app = Fastify()
app.get<{ Querystring: { q: string; page: string; per_page: string } }>('/', async ({ query: asked }) => {
  const patterns = [`${asked.q.toLowerCase()}%`, `%${asked.q}%`]
  const size = Number(asked.per_page)
  const [rows, count] = await Promise.all([
    query(page(size, (Number(asked.page) - 1) * size), patterns),
    query(total, patterns),
  ])
  return { data: rows.rows.slice(0, size), meta: { total: count.rows[0].total } }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
