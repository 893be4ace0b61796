import { sql } from 'kysely'
import type { VisitorState } from '#domain/events/events.ts'
import { typedCode } from '#domain/events/ticket.ts'
import { theOnly } from '#domain/must.ts'
import { ticketPath, ticketText } from '#server/modules/events/ticket-code.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import { iCalendar } from '#server/platform/files/i-calendar.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import { getFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { openEvents, toOpenEvent } from './open-events.ts'
import { cancelVisitor, givePlaceBack, lockSessions, takePlace } from './places.ts'
import { tellTypedVisitor } from './tell-visitors.ts'

/** The visitor of a ticket code; 404 if it is unknown or the visitor was erased. */
async function getVisitor(db: Db, typed: string) {
  const code = typedCode(typed)
  const visitor =
    code &&
    (await db
      .selectFrom('eventVisitors')
      .select(['id', 'eventId', 'sessionId', 'code', 'name', 'state', 'extra', 'createdAt', 'cancelledAt'])
      .where('code', '=', code)
      .where('erasedAt', 'is', null)
      .executeTakeFirst())
  if (!visitor) throw notFound('ticket')
  return { ...visitor, state: visitor.state as VisitorState }
}

/** Data of a ticket's page. */
export async function showTicket(services: Services, typed: string) {
  const { db, clock } = services
  const now = clock.now()
  const visitor = await getVisitor(db, typed)
  const [row] = await openEvents(db, sql`e.id = ${visitor.eventId}`)
  if (!row) throw notFound('ticket')
  const session = row.sessions.find(({ id }) => id === visitor.sessionId)!
  const { rows } = await sql<{ position: number | null; checkedInAt: Date | null; link: string | null }>`
    SELECT e.link, (SELECT min(c.at) FROM event_check_ins c WHERE c.visitor_id = ${visitor.id} AND c.undone_at IS NULL)
        AS checked_in_at,
      CASE WHEN ${visitor.state} = 'waiting' THEN (SELECT count(*)::int FROM event_visitors w
        WHERE w.session_id = ${visitor.sessionId} AND w.state = 'waiting'
          AND (w.created_at, w.id) <= (${visitor.createdAt}, ${visitor.id})) END AS position
    FROM events e WHERE e.id = ${visitor.eventId}`.execute(db)
  const { link, ...facts } = theOnly(rows)
  const materials = await db
    .selectFrom('eventMaterials as m')
    .innerJoin('files as f', 'f.id', 'm.fileId')
    .select(['m.id', 'm.title', 'f.name as fileName', 'f.bytes'])
    .where('m.eventId', '=', visitor.eventId)
    .where('m.audience', '=', 'visitors')
    .where('m.publishedAt', '<=', now)
    .orderBy('m.title')
    .execute()
  return {
    ...facts,
    code: visitor.code,
    name: visitor.name,
    state: visitor.state,
    qr: qrOf(ticketText(services, visitor.eventId, visitor.code)),
    sessionId: visitor.sessionId,
    event: toOpenEvent(row, now),
    link: visitor.state === 'registered' ? link : null,
    changeable:
      visitor.state !== 'cancelled' && row.status !== 'cancelled' && session.startsAt > now && !facts.checkedInAt,
    materials: visitor.state === 'cancelled' ? [] : materials,
  }
}

/** Locks event, sessions and visitor, in this order; 409 if nothing can be changed any more. */
async function lockTicket(tx: Tx, typed: string, now: Date, toSession?: string) {
  const { id, eventId } = await getVisitor(tx, typed)
  const event = await tx
    .selectFrom('events')
    .select(['id', 'status'])
    .where('id', '=', eventId)
    .forShare()
    .executeTakeFirstOrThrow()
  const all = await tx.selectFrom('eventSessions').select('id').where('eventId', '=', eventId).execute()
  const sessions = await lockSessions(
    tx,
    all.map((session) => session.id),
  )
  const visitor = await tx
    .selectFrom('eventVisitors')
    .select(['id', 'sessionId', 'state', 'extra'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const session = sessions.find((one) => one.id === visitor.sessionId)!
  const target = toSession === undefined ? undefined : sessions.find((one) => one.id === toSession)
  if (toSession !== undefined && !target) throw invalid({ sessionId: 'not_found' })
  if (event.status === 'cancelled' || event.status === 'draft') throw conflict('event_registration_closed')
  if (session.startsAt <= now || (target && target.startsAt <= now)) throw conflict('event_has_begun')
  const checkIn = await tx
    .selectFrom('eventCheckIns')
    .select('id')
    .where('visitorId', '=', id)
    .where('undoneAt', 'is', null)
    .executeTakeFirst()
  // The visitor is already inside, so the place cannot go to another person.
  if (checkIn && visitor.state !== 'cancelled') throw conflict('event_checked_in')
  return visitor
}

/** Moves a ticket to another session; a full session changes nothing. */
export const moveTicket = (services: Services, typed: string, sessionId: string) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const visitor = await lockTicket(tx, typed, services.clock.now(), sessionId)
    if (visitor.state === 'cancelled') throw conflict('event_ticket_cancelled')
    if (visitor.sessionId === sessionId) return
    if (!(await takePlace(tx, sessionId))) throw conflict('event_session_full')
    await tx
      .updateTable('eventVisitors')
      .set({ sessionId, state: 'registered', extra: false, remindedAt: null })
      .where('id', '=', visitor.id)
      .execute()
    if (visitor.state === 'registered' && !visitor.extra) await givePlaceBack(context, visitor.sessionId)
    await tellTypedVisitor(context, 'event-ticket', visitor.id)
  })

/** Cancels a ticket and gives its place back. Safe to repeat. */
export const cancelTicket = (services: Services, typed: string) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await cancelVisitor(context, await lockTicket(tx, typed, services.clock.now()))
  })

/** The ticket's session as a calendar file. A later file replaces an earlier one in the calendar. */
export async function ticketCalendar(services: Services, typed: string) {
  const { db, clock, config } = services
  const visitor = await getVisitor(db, typed)
  if (visitor.state === 'cancelled') throw notFound('ticket')
  const { universityName } = await getSettings(db)
  const event = await db
    .selectFrom('events as e')
    .innerJoin('eventSessions as s', 's.eventId', 'e.id')
    .select(['e.nameId', 'e.place', 'e.link', 'e.version', 's.startsAt', 's.endsAt', 's.room'])
    .where('s.id', '=', visitor.sessionId)
    .executeTakeFirstOrThrow()
  return iCalendar({
    uid: `event-${visitor.id}@${new URL(config.publicUrl).hostname}`,
    sequence: event.version,
    stamp: clock.now(),
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    summary: `${event.nameId} · ${universityName}`,
    location: [event.place ?? event.link, event.room].filter(Boolean).join(', '),
    url: `${config.publicUrl}${ticketPath(visitor.code)}`,
  })
}

/** A published material for a visitor of its event; 404 otherwise. */
export async function materialForVisitor(services: Services, typed: string, materialId: string) {
  const visitor = await getVisitor(services.db, typed)
  const material =
    visitor.state !== 'cancelled' &&
    (await services.db
      .selectFrom('eventMaterials')
      .select('fileId')
      .where('id', '=', materialId)
      .where('eventId', '=', visitor.eventId)
      .where('audience', '=', 'visitors')
      .where('publishedAt', '<=', services.clock.now())
      .executeTakeFirst())
  if (!material) throw notFound('material')
  return getFile(services.db, material.fileId)
}
