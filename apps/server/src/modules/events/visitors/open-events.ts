import { sql } from 'kysely'
import { type EventKind, type EventStatus, registrationStateOf } from '#domain/events/events.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type Session = { id: string; name: string; startsAt: Date; endsAt: Date; room: string; capacity: number; taken: number }

export type OpenRow = {
  id: string
  slug: string
  kind: EventKind
  nameId: string
  nameEn: string
  descriptionId: string
  descriptionEn: string
  school: string | null
  place: string | null
  status: EventStatus
  public: boolean
  registrationOpens: Date
  registrationCloses: Date
  sessions: Session[]
}

/** Events that are not drafts, with their sessions in order. */
export async function openEvents(db: Db, where = sql<boolean>`true`): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    SELECT e.id, e.slug, e.kind, e.name_id, e.name_en, e.description_id, e.description_en, o.name AS school, e.place,
      e.status, e.public, e.registration_opens, e.registration_closes,
      (SELECT json_agg(json_build_object('id', s.id, 'name', s.name, 'startsAt', s.starts_at, 'endsAt', s.ends_at,
        'room', s.room, 'capacity', s.capacity, 'taken', s.taken) ORDER BY s.starts_at, s.id)
        FROM event_sessions s WHERE s.event_id = e.id) AS sessions
    FROM events e LEFT JOIN schools o ON o.id = e.school_id
    WHERE e.status <> 'draft' AND e.published_at IS NOT NULL AND ${where}
    ORDER BY (SELECT min(s.starts_at) FROM event_sessions s WHERE s.event_id = e.id), e.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    sessions: row.sessions.map((session) => ({
      ...session,
      startsAt: new Date(session.startsAt),
      endsAt: new Date(session.endsAt),
    })),
  }))
}

const lastEndOf = ({ sessions }: Pick<OpenRow, 'sessions'>) =>
  new Date(Math.max(...sessions.map(({ endsAt }) => endsAt.getTime())))

/** Public data of an event. */
export const toOpenEvent = (row: OpenRow, now: Date) => ({
  slug: row.slug,
  kind: row.kind,
  name: { id: row.nameId, en: row.nameEn },
  description: { id: row.descriptionId, en: row.descriptionEn },
  school: row.school,
  place: row.place,
  state: registrationStateOf(row, now),
  registrationOpens: row.registrationOpens,
  registrationCloses: row.registrationCloses,
  sessions: row.sessions.map(({ capacity, taken, ...session }) => ({ ...session, seatsLeft: capacity - taken })),
})

/** How old a page for visitors may be. */
const freshForMs = 5_000

/** Published events, read at most once per `freshForMs` however many visitors ask. */
export function keepOpenEvents({ db, clock }: Services) {
  let cached: { rows: Promise<OpenRow[]>; at: number } | undefined
  return async () => {
    const at = clock.now().getTime()
    if (!cached || at - cached.at >= freshForMs || at < cached.at) {
      const since = new Date(at - 400 * 86_400_000)
      const rows = openEvents(
        db,
        sql`EXISTS (SELECT FROM event_sessions w WHERE w.event_id = e.id AND w.ends_at > ${since})`,
      )
      cached = { rows, at }
      rows.catch(() => {
        cached = undefined
      })
    }
    return cached.rows
  }
}

/** Upcoming public events. */
export const comingOf = (rows: readonly OpenRow[], now: Date) =>
  rows.filter((row) => row.public && row.status === 'published' && lastEndOf(row) > now)

/** 404 if no event is published under the slug. */
export function getOpenEvent(rows: readonly OpenRow[], slug: string): OpenRow {
  const found = rows.find((row) => row.slug === slug.toLowerCase())
  if (!found) throw notFound('event')
  return found
}
