import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { weekdayDate } from '#locales/format.ts'
import { ticketPath } from '#server/modules/events/ticket-code.ts'
import { tellPeople } from '#server/modules/messaging/notify.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

export type EventMessage =
  | 'event-ticket'
  | 'event-waiting'
  | 'event-place-free'
  | 'event-reminder'
  | 'event-moved'
  | 'event-cancelled'

type Row = {
  code: string
  name: string
  email: string | null
  phone: string | null
  language: Language
  nameId: string
  nameEn: string
  startsAt: Date
  room: string
  place: string
}

/** Tells visitors, in their language and in this transaction; those without an address are not told. */
export async function tellVisitors(
  tx: Tx,
  services: Services,
  message: EventMessage,
  visitorIds: readonly string[],
  reason = '',
) {
  if (visitorIds.length === 0) return
  const { rows } = await sql<Row>`
    SELECT v.code, v.name, v.email, v.phone, v.language, e.name_id, e.name_en, s.starts_at, s.room,
      coalesce(e.place, e.link) AS place
    FROM event_visitors v JOIN events e ON e.id = v.event_id JOIN event_sessions s ON s.id = v.session_id
    WHERE v.id = ANY(${visitorIds}::uuid[]) AND (v.email IS NOT NULL OR v.phone IS NOT NULL)
    ORDER BY v.created_at, v.id`.execute(tx)
  await tellPeople(
    tx,
    services,
    message,
    rows.map(({ code, name, email, phone, language, ...row }) => ({
      name,
      email,
      phone,
      language,
      params: {
        title: language === 'id' ? row.nameId : row.nameEn,
        date: momentText(row.startsAt, language),
        place: [row.place, row.room].filter(Boolean).join(', '),
        code,
        reason,
      },
      link: ticketPath(code),
    })),
  )
}

/** Weekday, date and time at the university. */
export function momentText(at: Date, language: Language) {
  const [day = '', time = ''] = universityCalendar().wallTime(at).split(' ')
  return `${weekdayDate(day, language)}, ${time.slice(0, 5).replace(':', '.')}`
}
