import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'
import { sharedCounts } from './shared-counts.ts'

/** All registrations written by hand: the page by an index in sort order, the total as PostgreSQL estimates it. */
const query = namedStatements()
const counted = sharedCounts<number>()
const page = `
  SELECT r.id, r.code, a.full_name AS name, a.phone, w.name AS wave, t.name AS track, c.name AS "classProgramme",
    p.name AS programme, r.status, r.decision, r.documents_state AS "documentsState", r.created_at AS "createdAt",
    r.submitted_at AS "submittedAt", r.verified_at AS "verifiedAt", r.created_at::text AS cursor,
    EXISTS (SELECT FROM result_publications pub WHERE pub.wave_id = r.wave_id AND pub.track_id = r.track_id AND pub.number = coalesce(r.published_after, 0) + 1
      AND pub.publish_at <= $3) AS published,
    (r.documents_state = 'complete' OR (r.documents_state = 'to_review' AND NOT EXISTS (SELECT FROM documents d
      WHERE d.registration_id = r.id AND d.required AND d.status NOT IN ('approved', 'waived', 'deferred')))) AS "documentsSettled"
  FROM (SELECT * FROM registrations ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2) r
  JOIN applicants a ON a.id = r.applicant_id
  JOIN waves w ON w.id = r.wave_id
  JOIN tracks t ON t.id = r.track_id
  JOIN class_programmes c ON c.id = r.class_programme_id
  LEFT JOIN study_programmes p ON p.id = r.programme_id
  ORDER BY r.created_at DESC, r.id DESC`

async function countAll(): Promise<number> {
  const { rows } = await query('SELECT count(*)::int AS total FROM (SELECT FROM registrations LIMIT 10001) counted')
  if (rows[0].total <= 10_000) return rows[0].total
  const plan = await query('EXPLAIN (FORMAT JSON) SELECT FROM registrations')
  return plan.rows[0]['QUERY PLAN'][0].Plan['Plan Rows']
}

const app = Fastify()
app.get<{ Querystring: { page: string } }>('/', async ({ query: asked }) => {
  const [{ rows }, total] = await Promise.all([
    query(page, [26, (Number(asked.page) - 1) * 25, new Date()]),
    counted('all', countAll),
  ])
  const data = rows.slice(0, 25).map(({ published, verifiedAt: _, cursor: __, ...row }) => ({
    ...row,
    result: row.decision && published ? row.decision : 'waiting',
    feeOwed: false,
  }))
  return { data, meta: { total, total_is_estimate: total > 10_000, next: rows.length > 25 ? rows[24].cursor : null } }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
