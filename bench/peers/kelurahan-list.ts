import Fastify from 'fastify'
import pg from 'pg'

/** The list of villages written by hand: only Fastify, pg and the product's SQL. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const where = 'WHERE (lower(t.code) LIKE $1 OR t.name ILIKE $2)'
const order = 'ORDER BY t.code ASC, t.id ASC'
const page = `
  SELECT t.id, t.active, t.version, t.created_at, t.updated_at, t.district_id, t.code, t.name, t.postal_code,
    jsonb_build_object('updatedBy', (SELECT a.name FROM accounts a WHERE a.id = t.updated_by), 'districtId',
      (SELECT concat_ws(' · ', r.name) FROM districts r WHERE r.id = t.district_id)) AS titles
  FROM (SELECT t.* FROM villages t ${where} ${order} LIMIT $3 OFFSET $4) t ${order}`
const total = `SELECT count(*)::int AS total FROM (SELECT 1 FROM villages t ${where} LIMIT 10001) counted`

const app = Fastify()
app.get<{ Querystring: { q: string; page: string; per_page: string } }>('/', async ({ query }) => {
  const patterns = [`${query.q.toLowerCase()}%`, `%${query.q}%`]
  const size = Number(query.per_page)
  const [rows, count] = await Promise.all([
    pool.query(page, [...patterns, size + 1, (Number(query.page) - 1) * size]),
    pool.query(total, patterns),
  ])
  return { data: rows.rows.slice(0, size), meta: { total: count.rows[0].total } }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
