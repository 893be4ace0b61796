import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import { listEvents, listVisitors } from '#domain/events/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { maskListedEmail, maskListedPhone, maskName } from '#server/platform/access/masks.ts'
import { contains, likePattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { type EventReader, eventReaderOf, eventsOf, getVisibleEvent, visitorsOf } from './event-scope.ts'
import { momentText } from './visitors/tell-visitors.ts'

const startsAt = sql<Date>`(SELECT min(s.starts_at) FROM event_sessions s WHERE s.event_id = e.id)`
const registered = (own: ReturnType<typeof visitorsOf>) =>
  sql<number>`(SELECT count(*)::int FROM event_visitors v WHERE v.event_id = e.id AND v.state = 'registered' AND ${own})`
const attended = (own: ReturnType<typeof visitorsOf>) =>
  sql<number>`(SELECT count(DISTINCT c.visitor_id)::int FROM event_visitors v
    JOIN event_check_ins c ON c.visitor_id = v.id AND c.undone_at IS NULL WHERE v.event_id = e.id AND ${own})`
const every = sql<boolean>`true`

export const serveEvents = (app: App, services: Services) =>
  serveList(app, services, listEvents, {
    from: () =>
      services.db
        .selectFrom('events as e')
        .leftJoin('schools as o', 'o.id', 'e.schoolId')
        .leftJoin('accounts as a', 'a.id', 'e.ownerId'),
    scope: async ({ actor }) => eventsOf(await eventReaderOf(services.db, actor)),
    filters: {
      q: (q) => contains(sql`concat_ws(' ', e.name_id, e.name_en, e.place, o.name, e.slug)`, q),
      status: 'e.status',
      kind: 'e.kind',
      schoolId: 'e.schoolId',
      affiliateId: (affiliateId) => sql<boolean>`EXISTS (SELECT FROM event_affiliates x
        WHERE x.event_id = e.id AND x.affiliate_id = ${affiliateId}::uuid)`,
      from: (from) => sql<boolean>`EXISTS (SELECT FROM event_sessions s
        WHERE s.event_id = e.id AND s.starts_at >= ${universityCalendar().startOfDay(from)})`,
      to: (to) => sql<boolean>`EXISTS (SELECT FROM event_sessions s
        WHERE s.event_id = e.id AND s.starts_at < ${universityCalendar().boundsOfDay(to)[1]})`,
    },
    columns: (rows) =>
      rows
        .select(['e.id', 'e.nameId', 'e.nameEn', 'e.kind', 'e.status', 'e.place', 'e.public'])
        .select(['o.name as school', 'a.name as owner', startsAt.as('startsAt')])
        .select([
          sql<number>`(SELECT count(*)::int FROM event_sessions s WHERE s.event_id = e.id)`.as('sessions'),
          sql<number>`(SELECT coalesce(sum(s.capacity), 0)::int FROM event_sessions s WHERE s.event_id = e.id)`.as(
            'capacity',
          ),
          registered(every).as('registered'),
          attended(every).as('attended'),
          sql<number>`(SELECT coalesce(sum(k.planned), 0)::bigint FROM event_costs k WHERE k.event_id = e.id)`.as(
            'planned',
          ),
          sql<number>`(SELECT coalesce(sum(k.actual), 0)::bigint FROM event_costs k WHERE k.event_id = e.id)`.as(
            'actual',
          ),
        ]),
    toRows: async (found, { actor, connection }) => {
      const reader = await eventReaderOf(connection, actor)
      if (reader.seesAll || found.length === 0) return found
      // An affiliate sees counts of their own visitors only.
      const { rows } = await sql<{ id: string; registered: number; attended: number }>`
        SELECT e.id, ${registered(visitorsOf(reader))} AS registered, ${attended(visitorsOf(reader))} AS attended
        FROM events e WHERE e.id = ANY(${found.map(({ id }) => id)}::uuid[])`.execute(connection)
      const own = new Map(rows.map((row) => [row.id, row]))
      return found.map((row) => ({ ...row, ...own.get(row.id), owner: null, planned: 0, actual: 0 }))
    },
    sorts: {
      nameId: { by: sql`lower(e.name_id)`, type: 'text' },
      nameEn: { by: sql`lower(e.name_en)`, type: 'text' },
      startsAt: { by: startsAt, type: 'timestamptz' },
      registered: { by: registered(every), type: 'integer' },
      attended: { by: attended(every), type: 'integer' },
    },
    id: sql`e.id`,
  })

const checkedInAt = sql<Date | null>`(SELECT min(c.at) FROM event_check_ins c
  WHERE c.visitor_id = v.id AND c.undone_at IS NULL)`

/** Finding by a name or phone that is masked would reveal it letter by letter. */
function searched({ mayUpdate }: EventReader, q: string) {
  const word = likePattern(q.toLowerCase())
  const digits = q.replace(/\D/g, '').replace(/^0/, '')
  const schoolMatches = sql<boolean>`(${contains('v.school_name', q)} OR ${contains('o.name', q)})`
  return mayUpdate
    ? sql<boolean>`(${contains('v.name', q)} OR v.email LIKE ${word} OR ${schoolMatches} OR v.code LIKE upper(${word})
        OR (${digits.length >= 4} AND v.phone LIKE ${`%${digits}%`}))`
    : schoolMatches
}

export const serveVisitors = (app: App, services: Services) =>
  serveList(app, services, listVisitors, {
    from: () =>
      services.db
        .selectFrom('eventVisitors as v')
        .innerJoin('eventSessions as s', 's.id', 'v.sessionId')
        .leftJoin('schools as o', 'o.id', 'v.schoolId')
        .leftJoin('affiliates as f', 'f.id', 'v.affiliateId'),
    scope: async ({ actor, params }) => {
      const reader = await eventReaderOf(services.db, actor)
      await getVisibleEvent(services.db, reader, params.id)
      return [sql<boolean>`v.event_id = ${params.id}`, visitorsOf(reader)]
    },
    filters: {
      q: async (q, { actor }) => searched(await eventReaderOf(services.db, actor), q),
      state: 'v.state',
      attended: (came) => sql<boolean>`(${checkedInAt} IS NOT NULL) = ${came === 'true'}`,
      walkIn: 'v.walkIn',
      grade: 'v.grade',
      sessionId: (sessionId) => sql<boolean>`v.session_id::text = ${sessionId}`,
    },
    columns: (rows) =>
      rows
        .select(['v.id', 'v.name', 'v.phone', 'v.email', 'v.grade', 'v.wish', 'v.state', 'v.walkIn', 'v.createdAt'])
        .select([
          's.name as sessionName',
          's.startsAt',
          'f.name as affiliate',
          checkedInAt.as('checkedInAt'),
          sql<string | null>`coalesce(o.name, v.school_name)`.as('school'),
          sql<boolean>`v.lead_id IS NOT NULL`.as('lead'),
        ]),
    toRows: async (found, { actor, language, connection }) => {
      const { mayUpdate: isFull, seesAll } = await eventReaderOf(connection, actor)
      const contact = <T>(value: T | null, mask: (value: T) => T) =>
        isFull || value === null ? value : seesAll ? mask(value) : null
      return found.map(({ sessionName, startsAt: at, ...row }) => ({
        ...row,
        session: [sessionName, momentText(at, language)].filter(Boolean).join(' · '),
        name: isFull ? row.name : maskName(row.name),
        phone: contact(row.phone, maskListedPhone),
        email: contact(row.email, maskListedEmail),
        wish: isFull ? row.wish : null,
      }))
    },
    sorts: {
      name: { by: sql`lower(v.name)`, type: 'text' },
      checkedInAt: { by: checkedInAt, type: 'timestamptz' },
      createdAt: { by: sql`v.created_at`, type: 'timestamptz' },
    },
    id: sql`v.id`,
  })
