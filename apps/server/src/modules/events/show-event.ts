import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { EventFigures } from '#domain/events/endpoints.ts'
import { type FunnelStep, funnelSteps } from '#domain/events/events.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRolesHolding } from '#server/platform/access/reach.ts'
import type { Services } from '#server/platform/services.ts'
import { type EventReader, eventReaderOf, getVisibleEvent, mayCheckIn, visitorsOf } from './event-scope.ts'

export const eventLink = ({ config }: Pick<Services, 'config'>, slug: string, code?: string) =>
  `${config.publicUrl}/acara/${slug}${code ? `?ref=${encodeURIComponent(code)}` : ''}`

type SessionRow = {
  id: string
  name: string
  startsAt: Date
  endsAt: Date
  room: string
  capacity: number
  taken: number
  waiting: number
  checkedIn: number
}

/** An event for staff and affiliates, without its visitors. */
export async function showEvent(services: Services, actor: Actor, id: string) {
  const { db } = services
  const reader = await eventReaderOf(db, actor)
  const event = await getVisibleEvent(db, reader, id)
  const { dayOf, wallTime } = universityCalendar()
  const { rows: sessions } = await sql<SessionRow>`
    SELECT s.id, s.name, s.starts_at, s.ends_at, s.room, s.capacity, s.taken,
      (SELECT count(*)::int FROM event_visitors v WHERE v.session_id = s.id AND v.state = 'waiting') AS waiting,
      (SELECT count(*)::int FROM event_check_ins c WHERE c.session_id = s.id AND c.undone_at IS NULL) AS checked_in
    FROM event_sessions s WHERE s.event_id = ${id} ORDER BY s.starts_at, s.id`.execute(db)
  const names = await db
    .selectFrom('events as e')
    .leftJoin('schools as o', 'o.id', 'e.schoolId')
    .leftJoin('accounts as a', 'a.id', 'e.ownerId')
    .select(['o.name as school', 'a.name as owner'])
    .where('e.id', '=', id)
    .executeTakeFirstOrThrow()
  const affiliates = await db
    .selectFrom('eventAffiliates as x')
    .innerJoin('affiliates as f', 'f.id', 'x.affiliateId')
    .select(['f.id', 'f.name', 'f.code'])
    .where('x.eventId', '=', id)
    .$if(!reader.seesAll, (own) => own.where('f.id', '=', reader.affiliateId))
    .orderBy('f.name')
    .execute()
  const costs = reader.seesAll
    ? await db
        .selectFrom('eventCosts')
        .select(['label', 'planned', 'actual'])
        .where('eventId', '=', id)
        .orderBy('position')
        .execute()
    : []
  return {
    id,
    version: event.version,
    kind: event.kind,
    nameId: event.nameId,
    nameEn: event.nameEn,
    descriptionId: event.descriptionId,
    descriptionEn: event.descriptionEn,
    slug: event.slug,
    schoolId: event.schoolId,
    place: event.place ?? '',
    link: event.link ?? '',
    opensOn: dayOf(event.registrationOpens),
    closesOn: dayOf(new Date(event.registrationCloses.getTime() - 1)),
    public: event.public,
    invited: event.invited,
    ownerId: event.ownerId,
    status: event.status,
    cancelReason: event.cancelReason,
    ...names,
    publicLink: eventLink(services, event.slug),
    sessions: sessions.map((session) => ({
      ...session,
      date: dayOf(session.startsAt),
      startTime: wallTime(session.startsAt).slice(11, 16),
      endTime: wallTime(session.endsAt).slice(11, 16),
    })),
    affiliates: affiliates.map((one) => ({ ...one, link: eventLink(services, event.slug, one.code) })),
    costs,
    materials: await materialsOf(services, reader, id),
    may: { update: reader.mayUpdate, checkIn: await mayCheckIn(db, reader, id), seesAll: reader.seesAll },
  }
}

const materialsOf = ({ db }: Services, { seesAll }: EventReader, eventId: string) =>
  db
    .selectFrom('eventMaterials as m')
    .innerJoin('files as f', 'f.id', 'm.fileId')
    .select(['m.id', 'm.title', 'f.name as fileName', 'f.bytes', 'm.audience', 'm.publishedAt'])
    .where('m.eventId', '=', eventId)
    .$if(!seesAll, (open) => open.where('m.publishedAt', 'is not', null))
    .orderBy('m.createdAt')
    .orderBy('m.id')
    .execute()

/** A visitor's account: that of the lead, otherwise one with the same phone or verified e-mail. */
const accountOfVisitor = sql`coalesce(
  (SELECT coalesce(k.account_id, l.account_id) FROM leads l LEFT JOIN leads k ON k.id = l.merged_into WHERE l.id = v.lead_id),
  (SELECT a.id FROM accounts a WHERE a.phone = v.phone ORDER BY a.created_at LIMIT 1),
  (SELECT a.id FROM accounts a WHERE a.email_lower = v.email AND a.email_verified_at IS NOT NULL LIMIT 1))`

type Counts = Omit<Record<FunnelStep, number>, 'invited'>
type ShareRow = { affiliate: string | null; registered: number; attended: number; enrolled: number }

/** The funnel of an event's visitors, their affiliates, and the cost of each step. */
export async function showFigures(services: Services, actor: Actor, id: string): Promise<EventFigures> {
  const { db } = services
  const reader = await eventReaderOf(db, actor)
  const event = await getVisibleEvent(db, reader, id)
  const people = sql`WITH people AS (
    SELECT v.id, v.affiliate_id, v.lead_id IS NOT NULL AS is_lead,
      EXISTS (SELECT FROM event_check_ins c WHERE c.visitor_id = v.id AND c.undone_at IS NULL) AS attended,
      ${accountOfVisitor} AS account_id
    FROM event_visitors v WHERE v.event_id = ${id} AND v.state <> 'cancelled' AND ${visitorsOf(reader)}
  ), steps AS (
    SELECT p.*, r.submitted, r.paid, r.enrolled FROM people p LEFT JOIN LATERAL (
      SELECT bool_or(r.submitted_at IS NOT NULL) AS submitted, bool_or(r.paid_at IS NOT NULL) AS paid,
        bool_or(r.enrolled_at IS NOT NULL) AS enrolled
      FROM registrations r WHERE r.account_id = p.account_id) r ON true
  )`
  const { rows: counted } = await sql<Counts>`${people}
    SELECT count(*)::int AS registered, count(*) FILTER (WHERE attended)::int AS attended,
      count(*) FILTER (WHERE is_lead)::int AS lead, count(account_id)::int AS account,
      count(*) FILTER (WHERE submitted)::int AS registration, count(*) FILTER (WHERE paid)::int AS paid,
      count(*) FILTER (WHERE enrolled)::int AS enrolled
    FROM steps`.execute(db)
  const { rows: shares } = await sql<ShareRow>`${people}
    SELECT f.name AS affiliate, count(*)::int AS registered, count(*) FILTER (WHERE attended)::int AS attended,
      count(*) FILTER (WHERE enrolled)::int AS enrolled
    FROM steps p LEFT JOIN affiliates f ON f.id = p.affiliate_id
    GROUP BY f.id, f.name ORDER BY count(*) DESC, f.name NULLS LAST`.execute(db)
  const counts = theOnly(counted)
  return {
    funnel: funnelSteps.map((step) => ({
      step,
      people: step === 'invited' ? (reader.seesAll ? event.invited : null) : counts[step],
    })),
    shares,
    cost: reader.seesAll ? await costOf(services, id, counts) : null,
  }
}

async function costOf({ db }: Services, id: string, { attended, lead, enrolled }: Counts) {
  const { rows } = await sql<{ planned: number; actual: number }>`
    SELECT coalesce(sum(planned), 0)::bigint AS planned, coalesce(sum(actual), 0)::bigint AS actual
    FROM event_costs WHERE event_id = ${id}`.execute(db)
  const { planned, actual } = theOnly(rows)
  const per = (people: number) => (people > 0 ? Math.round(actual / people) : null)
  return { planned, actual, perVisitor: per(attended), perLead: per(lead), perEnrolled: per(enrolled) }
}

/** Choices for the form: active affiliates, and staff who write events. */
export async function choicesOf(db: Services['db']) {
  const affiliates = await db
    .selectFrom('affiliates')
    .select(['id', 'name'])
    .where('active', '=', true)
    .orderBy('name')
    .limit(1000)
    .execute()
  const roleIds = await findRolesHolding(db, 'event-afiliator-update')
  const owners = await db
    .selectFrom('accounts as a')
    .select(['a.id', 'a.name'])
    .where('a.active', '=', true)
    .where(sql<boolean>`a.role_id = ANY(${roleIds}::uuid[])`)
    .orderBy('a.name')
    .limit(200)
    .execute()
  return { affiliates, owners }
}
