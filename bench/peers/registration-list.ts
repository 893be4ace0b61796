import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'

/** The list of registrations written by hand: only Fastify, pg and the product's SQL. */
const query = namedStatements()
const where = 'WHERE r.wave_id = $1 AND r.programme_id = $2 AND r.status = $3'
const page = `
  SELECT r.id, r.code, a.full_name AS name, a.phone, w.name AS wave, t.name AS track, c.name AS "classProgramme",
    p.name AS programme, r.status, r.decision, r.documents_state AS "documentsState", r.created_at AS "createdAt",
    r.submitted_at AS "submittedAt", r.created_at::text AS cursor, coalesce(pub.publish_at <= now(), false) AS published
  FROM (SELECT * FROM registrations r ${where} ORDER BY r.created_at DESC, r.id DESC LIMIT 26) r
  JOIN applicants a ON a.id = r.applicant_id
  JOIN waves w ON w.id = r.wave_id
  JOIN tracks t ON t.id = r.track_id
  JOIN class_programmes c ON c.id = r.class_programme_id
  LEFT JOIN study_programmes p ON p.id = r.programme_id
  LEFT JOIN result_publications pub ON pub.wave_id = r.wave_id AND pub.track_id = r.track_id AND pub.number = coalesce(r.published_after, 0) + 1
  ORDER BY r.created_at DESC, r.id DESC`
const total = `SELECT count(*)::int AS total FROM (SELECT 1 FROM registrations r ${where} LIMIT 10001) counted`

const app = Fastify()
app.get<{ Querystring: Record<'waveId' | 'programmeId' | 'status', string> }>('/', async ({ query: filters }) => {
  const values = [filters.waveId, filters.programmeId, filters.status]
  const [rows, count] = await Promise.all([query(page, values), query(total, values)])
  return { data: rows.rows.slice(0, 25), meta: { total: count.rows[0].total } }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
