import Fastify from 'fastify'
import { namedStatements } from './named-statements.ts'
import { registrationFacts } from './registration-facts.ts'

/** An applicant's dashboard written by hand: four statements at once. */
const query = namedStatements()
const facts = registrationFacts('r.account_id = $2')
const profile = `SELECT a.*, u.email, u.guardian_consent_at, re.name AS religion, eg.name AS ethnic_group, pr.name AS province,
    ci.name AS city, di.name AS district, vi.name AS village, s.name AS school, s.npsn, s.verified, sc.name AS school_city,
    ty.name AS school_type, sm.name AS school_major, a.school_type_id IS NULL OR EXISTS (SELECT FROM school_majors m
      WHERE m.school_type_id = a.school_type_id AND m.active) AS has_majors
  FROM applicants a JOIN accounts u ON u.id = a.account_id
  LEFT JOIN religions re ON re.id = a.religion_id
  LEFT JOIN ethnic_groups eg ON eg.id = a.ethnic_group_id
  LEFT JOIN provinces pr ON pr.id = a.province_id
  LEFT JOIN cities ci ON ci.id = a.city_id
  LEFT JOIN districts di ON di.id = a.district_id
  LEFT JOIN villages vi ON vi.id = a.village_id
  LEFT JOIN schools s ON s.id = a.school_id
  LEFT JOIN cities sc ON sc.id = s.city_id
  LEFT JOIN school_types ty ON ty.id = a.school_type_id
  LEFT JOIN school_majors sm ON sm.id = a.school_major_id
  WHERE a.account_id = $1`
const inbox = `SELECT id, event, subject, body, link, created_at, read_at, (SELECT count(*)::int FROM messages u
    WHERE u.account_id = $1 AND u.channel = 'inbox' AND u.read_at IS NULL) AS unread
  FROM messages WHERE account_id = $1 AND channel = 'inbox' ORDER BY created_at DESC LIMIT 5`
const settings = `SELECT key, value FROM settings`

const app = Fastify()
app.get<{ Querystring: { account: string } }>('/', async ({ query: { account } }) => {
  const [people, registrations, messages, values] = await Promise.all([
    query(profile, [account]),
    query(facts, [new Date(), account]),
    query(inbox, [account]),
    query(settings),
  ])
  const missing = Object.entries(people.rows[0] ?? {}).flatMap(([field, value]) => (value === null ? [field] : []))
  const { cardShare } = Object.fromEntries(values.rows.map(({ key, value }) => [key, value]))
  return {
    data: {
      kind: 'applicant',
      name: people.rows[0]?.full_name,
      missing,
      cardShare,
      registrations: registrations.rows,
      messages: messages.rows,
    },
  }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
