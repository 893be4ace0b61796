import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'

/** The staff dashboard written by hand: four statements at once. */
const query = namedStatements()
const inbox = `SELECT m.id, m.event, m.subject, m.body, m.link, m.created_at AS "createdAt", m.read_at AS "readAt",
    (SELECT count(*)::int FROM messages u WHERE u.account_id = a.id AND u.channel = 'inbox' AND u.read_at IS NULL) AS unread
  FROM accounts a JOIN messages m ON m.account_id = a.id WHERE a.email_lower = $1 AND m.channel = 'inbox'
  ORDER BY m.created_at DESC LIMIT 5`
const waves = `SELECT id, name, academic_year AS "academicYear", closes_at AS "closesAt" FROM waves
  WHERE active AND opens_at <= $1 AND closes_at > $1 ORDER BY closes_at`
const current = `r.wave_id IN (SELECT id FROM waves WHERE active AND closes_at > $1::timestamptz - interval '180 days')`
const byStatus = `SELECT r.status, count(*)::int AS count FROM registrations r WHERE ${current} GROUP BY 1`
const queues = `SELECT
  (SELECT count(*)::int FROM registrations r WHERE r.created_at >= date_trunc('day', $1::timestamptz, 'Asia/Jakarta')) AS "newToday",
  (SELECT count(*)::int FROM registrations r WHERE r.documents_state = 'to_review'
    AND r.status IN ('submitted', 'paid', 'verified') AND ${current}) AS "documentsToReview",
  (SELECT count(*)::int FROM registrations r WHERE r.status = 'verified' AND ${current}) AS "waitingForDecision",
  (SELECT count(*)::int FROM registrations r WHERE r.status = 'decided' AND r.decision = 'accepted' AND ${current}
    AND EXISTS (SELECT FROM result_publications pub WHERE pub.wave_id = r.wave_id AND pub.track_id = r.track_id AND pub.number = coalesce(r.published_after, 0) + 1
      AND pub.publish_at <= $1)) AS "waitingForConfirmation"`

const app = Fastify()
app.get<{ Querystring: { email: string } }>('/', async ({ query: { email } }) => {
  const now = new Date()
  const [messages, openWaves, statuses, counts] = await Promise.all([
    query(inbox, [email]),
    query(waves, [now]),
    query(byStatus, [now]),
    query(queues, [now]),
  ])
  return {
    data: {
      kind: 'staff',
      byStatus: statuses.rows,
      ...counts.rows[0],
      openWaves: openWaves.rows,
      messages: messages.rows.map(({ unread: _, ...message }) => message),
      unread: messages.rows[0]?.unread ?? 0,
    },
  }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
