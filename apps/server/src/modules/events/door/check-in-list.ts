import { sql } from 'kysely'
import type { VisitorState } from '#domain/events/events.ts'
import { getDoor } from '#server/modules/events/event-scope.ts'
import { hashOfTicket, ticketKey } from '#server/modules/events/ticket-code.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskName } from '#server/platform/access/masks.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type GuestRow = {
  id: string
  name: string
  code: string
  school: string | null
  sessionId: string
  state: VisitorState
  walkIn: boolean
  checkIns: { sessionId: string; at: string; deviceName: string }[]
}

/** Hours before the first session when check-in opens. */
const doorOpensHours = 24

export const doorOpensAt = (firstStart: Date) => new Date(firstStart.getTime() - doorOpensHours * 3_600_000)

export const isDoorOpen = (status: string, firstStart: Date, now: Date) =>
  (status === 'published' || status === 'closed') && now >= doorOpensAt(firstStart)

/** All visitors of an event, so that a device recognises each ticket offline. Names are masked for affiliates. */
export async function readCheckIns(services: Services, actor: Actor, eventId: string) {
  const { db, clock } = services
  const now = clock.now()
  const { reader, event } = await getDoor(db, actor, eventId)
  const sessions = await db
    .selectFrom('eventSessions')
    .select(['id', 'name', 'startsAt', 'endsAt', 'room', 'capacity'])
    .where('eventId', '=', eventId)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()
  const [first] = sessions
  if (!first) throw notFound('event session')
  const { rows } = await sql<GuestRow>`
    SELECT v.id, v.name, v.code, coalesce(o.name, v.school_name) AS school, v.session_id, v.state, v.walk_in,
      coalesce((SELECT json_agg(json_build_object('sessionId', c.session_id, 'at', c.at, 'deviceName', c.device_name)
        ORDER BY c.at) FROM event_check_ins c WHERE c.visitor_id = v.id AND c.undone_at IS NULL), '[]') AS check_ins
    FROM event_visitors v LEFT JOIN schools o ON o.id = v.school_id
    WHERE v.event_id = ${eventId} ORDER BY lower(v.name), v.id`.execute(db)
  return {
    now,
    eventId,
    name: { id: event.nameId, en: event.nameEn },
    place: event.place ?? event.link ?? '',
    sessions,
    guests: rows.map(({ code, checkIns, ...guest }) => ({
      ...guest,
      name: reader.mayUpdate ? guest.name : maskName(guest.name),
      codeHash: hashOfTicket(code),
      checkIns: checkIns.map((one) => ({ ...one, at: new Date(one.at) })),
    })),
    key: ticketKey(services),
    begun: isDoorOpen(event.status, first.startsAt, now),
    mayRegister: true,
  }
}
