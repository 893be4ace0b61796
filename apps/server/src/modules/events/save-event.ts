import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { EventInput } from '#domain/events/endpoints.ts'
import { type EventStatus, type EventStep, eventTransitions } from '#domain/events/events.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { lockSessions, passOnPlaces } from './visitors/places.ts'
import { tellVisitors } from './visitors/tell-visitors.ts'

/** Columns of `events` for a form; days begin and end in the university's time zone. */
function columnsOf({ sessions: _, affiliateIds, costs, opensOn, closesOn, place, link, ...event }: EventInput) {
  const calendar = universityCalendar()
  return {
    ...event,
    place: place || null,
    link: link || null,
    registrationOpens: calendar.startOfDay(opensOn),
    registrationCloses: calendar.boundsOfDay(closesOn)[1],
  }
}

async function refuseTakenSlug(tx: Tx, slug: string, id: string | null) {
  const other = await tx.selectFrom('events').select('id').where('slug', '=', slug).executeTakeFirst()
  if (other && other.id !== id) throw invalid({ slug: 'already_exists' })
}

export const createEvent = (services: Services, actor: Actor, input: EventInput) =>
  inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    await refuseTakenSlug(tx, input.slug, null)
    const { id } = await tx
      .insertInto('events')
      .values({
        ...columnsOf(input),
        createdAt: now,
        updatedAt: now,
        createdBy: actor.accountId || null,
        updatedBy: actor.accountId || null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await saveSessions(context, id, input.sessions)
    await saveParts(tx, id, input)
    await recordAudit(tx, actor, {
      action: 'event.create',
      on: { event: id },
      after: { slug: input.slug, kind: input.kind },
    })
    return { id }
  })

type Change = EventInput & { version: number }

/**
 * Changes an event; 409 for a stale version. If a published event's session or place moves, its visitors are notified.
 */
export const updateEvent = (services: Services, actor: Actor, id: string, { version, ...input }: Change) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const before = await lockEvent(tx, id)
    if (before.version !== version) throw conflict('stale_version')
    if (before.status === 'cancelled') throw conflict('wrong_status')
    await refuseTakenSlug(tx, input.slug, id)
    const columns = columnsOf(input)
    await tx
      .updateTable('events')
      .set({
        ...columns,
        version: version + 1,
        updatedAt: services.clock.now(),
        updatedBy: actor.accountId || null,
      })
      .where('id', '=', id)
      .execute()
    const moved = await saveSessions(context, id, input.sessions)
    await saveParts(tx, id, input)
    const isElsewhere = columns.place !== before.place || columns.link !== before.link
    await tellOfMove(context, id, isElsewhere ? input.sessions.flatMap((one) => one.id ?? []) : moved)
    await recordAudit(tx, actor, {
      action: 'event.update',
      on: { event: id },
      before: { slug: before.slug, place: before.place, link: before.link },
      after: { slug: input.slug, place: columns.place, link: columns.link, moved: moved.length },
    })
    return { id }
  })

async function lockEvent(tx: Tx, id: string) {
  const event = await tx.selectFrom('events').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!event) throw notFound('event')
  return { ...event, status: event.status as EventStatus }
}

/**
 * Saves an event's sessions and returns the ids of those that moved. A session with registrations or scans cannot be
 * removed, and keeps room for its visitors.
 */
async function saveSessions(context: Omit<Context, 'actor'>, eventId: string, sessions: EventInput['sessions']) {
  const { tx } = context
  const { momentOf } = universityCalendar()
  const known = await tx.selectFrom('eventSessions').select('id').where('eventId', '=', eventId).execute()
  const before = known.length
    ? await lockSessions(
        tx,
        known.map(({ id }) => id),
      )
    : []
  const problems: Record<string, 'event_session_in_use' | 'event_session_too_small' | 'not_found'> = {}
  const givenIds = new Set(sessions.flatMap(({ id }) => id ?? []))
  const removed = before.filter(({ id }) => !givenIds.has(id)).map(({ id }) => id)
  if (removed.length > 0) {
    const { rows: used } = await sql`SELECT FROM event_visitors WHERE session_id = ANY(${removed}::uuid[])
      UNION ALL SELECT FROM event_scans WHERE session_id = ANY(${removed}::uuid[]) LIMIT 1`.execute(tx)
    if (used.length > 0) problems.sessions = 'event_session_in_use'
  }
  for (const [index, { id, capacity }] of sessions.entries()) {
    const old = before.find((one) => one.id === id)
    if (id && !old) problems[`sessions.${index}.name`] = 'not_found'
    if (old && capacity < old.taken) problems[`sessions.${index}.capacity`] = 'event_session_too_small'
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  if (removed.length > 0) await tx.deleteFrom('eventSessions').where('id', 'in', removed).execute()
  const moved: string[] = []
  for (const { id, date, startTime, endTime, ...session } of sessions) {
    const times = { startsAt: momentOf(`${date} ${startTime}:00`), endsAt: momentOf(`${date} ${endTime}:00`) }
    const old = before.find((one) => one.id === id)
    if (!old) {
      await tx
        .insertInto('eventSessions')
        .values({ ...session, ...times, eventId })
        .execute()
      continue
    }
    await tx
      .updateTable('eventSessions')
      .set({ ...session, ...times })
      .where('id', '=', old.id)
      .execute()
    if (
      old.startsAt.getTime() !== times.startsAt.getTime() ||
      old.endsAt.getTime() !== times.endsAt.getTime() ||
      old.room !== session.room
    )
      moved.push(old.id)
    if (session.capacity > old.capacity) await passOnPlaces(context, old.id)
  }
  return moved
}

async function saveParts(tx: Tx, eventId: string, { affiliateIds, costs }: EventInput) {
  const ids = [...new Set(affiliateIds)]
  if (ids.length > 0) {
    const known = await tx.selectFrom('affiliates').select('id').where('id', 'in', ids).execute()
    if (known.length < ids.length) throw invalid({ affiliateIds: 'not_found' })
  }
  await tx.deleteFrom('eventAffiliates').where('eventId', '=', eventId).execute()
  if (ids.length > 0)
    await tx
      .insertInto('eventAffiliates')
      .values(ids.map((affiliateId) => ({ eventId, affiliateId })))
      .execute()
  await tx.deleteFrom('eventCosts').where('eventId', '=', eventId).execute()
  if (costs.length > 0)
    await tx
      .insertInto('eventCosts')
      .values(costs.map((cost, index) => ({ ...cost, eventId, position: index + 1 })))
      .execute()
}

/** Notifies visitors of moved sessions that have not begun, and makes their reminders due again. */
async function tellOfMove(context: Omit<Context, 'actor'>, eventId: string, sessionIds: readonly string[]) {
  const { tx, services } = context
  const now = services.clock.now()
  if (sessionIds.length === 0) return
  const { rows } = await sql<{ id: string }>`
    UPDATE event_visitors v SET reminded_at = NULL FROM event_sessions s, events e
    WHERE s.id = v.session_id AND e.id = v.event_id AND e.status IN ('published', 'closed')
      AND v.event_id = ${eventId} AND v.session_id = ANY(${sessionIds}::uuid[]) AND v.state <> 'cancelled'
      AND s.starts_at > ${now}
    RETURNING v.id`.execute(tx)
  await tellVisitors(
    context,
    'event-moved',
    rows.map(({ id }) => id),
  )
}

/** Applies a status change. Repeating it changes nothing and notifies nobody again. */
export const stepEvent = (services: Services, actor: Actor, id: string, step: EventStep, reason?: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const before = await lockEvent(tx, id)
    const { from, to } = eventTransitions[step]
    if (before.status === to) return { id }
    const now = services.clock.now()
    const changed = await tx
      .updateTable('events')
      .set({
        status: to,
        version: before.version + 1,
        updatedAt: now,
        updatedBy: actor.accountId || null,
        ...(step === 'publish' && { publishedAt: before.publishedAt ?? now }),
        ...(step === 'cancel' && { cancelReason: reason ?? '' }),
      })
      .where('id', '=', id)
      .where('status', 'in', from)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw conflict('wrong_status')
    await recordAudit(tx, actor, {
      action: `event.${step}`,
      on: { event: id },
      before: { status: before.status },
      after: { status: to },
      reason,
    })
    if (step === 'cancel') {
      const { rows } = await sql<{ id: string }>`
        SELECT v.id FROM event_visitors v JOIN event_sessions s ON s.id = v.session_id
        WHERE v.event_id = ${id} AND v.state <> 'cancelled' AND s.ends_at > ${now}`.execute(tx)
      await tellVisitors(
        context,
        'event-cancelled',
        rows.map((row) => row.id),
        { reason },
      )
    }
    return { id }
  })
