import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'
import { sharedCounts } from './shared-counts.ts'

/** The list of bills written by hand: the page by an index in sort order, count and sums of the whole filter. */
const query = namedStatements()
const counted = sharedCounts<Record<'count' | 'total' | 'paid' | 'rest', number>>()
const rest = `CASE WHEN b.status IN ('open', 'partly_paid') THEN b.total - b.paid ELSE 0 END`
const page = (where: string, parameters: number) => `
  SELECT b.id, b.number, b.kind, b.status, b.total::float8, b.paid::float8, (${rest})::float8 AS rest, b.due_at AS "dueAt", b.issued_at AS "issuedAt",
    b.paid_at AS "paidAt", b.promised_until AS "promisedUntil", r.id AS "registrationId", r.code AS "registrationCode",
    a.full_name AS "applicantName", p.name AS programme, b.issued_at::text AS cursor
  FROM (SELECT * FROM bills b ${where} ORDER BY b.issued_at DESC, b.id DESC LIMIT $${parameters + 1} OFFSET $${parameters + 2}) b
  JOIN registrations r ON r.id = b.registration_id
  JOIN applicants a ON a.id = r.applicant_id
  LEFT JOIN LATERAL (SELECT CASE WHEN r.decision = 'accepted' AND r.status NOT IN ('confirmed', 'enrolled')
      AND NOT EXISTS (SELECT FROM result_publications pub WHERE pub.wave_id = r.wave_id AND pub.track_id = r.track_id AND pub.number = coalesce(r.published_after, 0) + 1
        AND pub.publish_at <= $${parameters + 3})
    THEN coalesce((SELECT c.programme_id FROM registration_choices c WHERE c.registration_id = r.id AND c.position = 1),
      r.programme_id) ELSE r.programme_id END AS id) shown ON true
  LEFT JOIN study_programmes p ON p.id = shown.id
  ORDER BY b.issued_at DESC, b.id DESC`
const totals = (where: string) => `
  SELECT count(*)::int AS count, coalesce(sum(b.total) FILTER (WHERE b.status <> 'cancelled'), 0)::float8 AS total,
    coalesce(sum(b.paid), 0)::float8 AS paid, coalesce(sum(${rest}), 0)::float8 AS rest FROM bills b ${where}`

type Query = Partial<Record<'status' | 'kind', string>> & { page: string }

const promiseOf = (row: Record<string, any>, now: Date) => {
  if (!row.promisedUntil) return null
  if (['paid', 'waived', 'guaranteed'].includes(row.status)) return row.paidAt > row.promisedUntil ? 'broken' : 'kept'
  if (row.status === 'cancelled') return null
  return row.promisedUntil < now ? 'broken' : 'open'
}

const app = Fastify()
app.get<{ Querystring: Query }>('/', async ({ query: asked }) => {
  const now = new Date()
  const values: unknown[] = []
  const conditions: string[] = []
  if (asked.status) conditions.push(`b.status = $${values.push(asked.status)}`)
  if (asked.kind) conditions.push(`b.kind = $${values.push(asked.kind)}`)
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const key = JSON.stringify([asked.status, asked.kind])
  const [{ rows }, { count, ...sums }] = await Promise.all([
    query(page(where, values.length), [...values, 26, (Number(asked.page) - 1) * 25, now]),
    counted(key, async () => (await query(totals(where), values)).rows[0]),
  ])
  const data = rows.slice(0, 25).map(({ cursor: _, ...row }) => ({
    ...row,
    overdue: ['open', 'partly_paid'].includes(row.status) && row.dueAt !== null && row.dueAt < now,
    promise: promiseOf(row, now),
  }))
  return { data, meta: { total: count, sums, next: rows.length > 25 ? rows[24].cursor : null } }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
