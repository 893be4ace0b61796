import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { weekdayDate } from '#locales/format.ts'
import { ticketPath } from '#server/modules/events/ticket-code.ts'
import { tellPeople } from '#server/modules/messaging/notify.ts'
import type { Context } from '#server/platform/use-case.ts'

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

/** Most messages per day to an e-mail address or phone typed on a public page, as it may be a stranger's. */
const mostPerAddress = 6
const typedMessages = ['event-ticket', 'event-waiting'] as const

/**
 * Sends a message caused by a public page: at most six a day per address, across visitors and events. The page's
 * response does not depend on it. Locks the address after the sessions.
 */
export async function tellTypedVisitor(
  context: Omit<Context, 'actor'>,
  message: (typeof typedMessages)[number],
  visitorId: string,
) {
  const { tx, services } = context
  const { rows } = await sql<{ address: string }>`
    SELECT lower(a) AS address FROM event_visitors v, unnest(ARRAY[v.email, v.phone]) a
    WHERE v.id = ${visitorId} AND a IS NOT NULL ORDER BY 1`.execute(tx)
  const free: string[] = []
  for (const { address } of rows) {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`event message ${address}`}))`.execute(tx)
    const { sent } = await tx
      .selectFrom('messages')
      .select(({ fn }) => fn.countAll<number>().as('sent'))
      .where(sql`lower(to_address)`, '=', address)
      .where('event', 'in', typedMessages)
      .where('createdAt', '>', new Date(services.clock.now().getTime() - 86_400_000))
      .executeTakeFirstOrThrow()
    if (sent < mostPerAddress) free.push(address)
  }
  await tellVisitors(context, message, [visitorId], { addresses: free })
}

/**
 * Notifies visitors in their language, in the caller's transaction. Skips those without an address; of visitors sharing
 * an address, the first six are notified.
 */
export async function tellVisitors(
  context: Omit<Context, 'actor'>,
  message: EventMessage,
  visitorIds: readonly string[],
  { reason = '', addresses }: { reason?: string; addresses?: readonly string[] } = {},
) {
  const { tx } = context
  if (visitorIds.length === 0) return
  const pickAddress = (address: string | null) =>
    !addresses || (address && addresses.includes(address.toLowerCase())) ? address : null
  const { rows } = await sql<Row>`
    SELECT v.code, v.name, ${unlessOften('email')}, ${unlessOften('phone')}, v.language, e.name_id, e.name_en, s.starts_at, s.room,
      coalesce(e.place, e.link) AS place
    FROM event_visitors v JOIN events e ON e.id = v.event_id JOIN event_sessions s ON s.id = v.session_id
    WHERE v.id = ANY(${visitorIds}::uuid[]) AND (v.email IS NOT NULL OR v.phone IS NOT NULL)
    ORDER BY v.created_at, v.id`.execute(tx)
  await tellPeople(
    context,
    message,
    rows.map(({ code, name, email, phone, language, ...row }) => ({
      name,
      email: pickAddress(email),
      phone: pickAddress(phone),
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

const unlessOften = (column: 'email' | 'phone') => {
  const address = sql.ref(`v.${column}`)
  return sql`CASE WHEN row_number() OVER (PARTITION BY lower(${address}) ORDER BY v.created_at, v.id) <= ${mostPerAddress}
    THEN ${address} END AS ${sql.ref(column)}`
}

/** Weekday, date and time in the university's time zone. */
export function momentText(at: Date, language: Language) {
  const [day = '', time = ''] = universityCalendar().wallTime(at).split(' ')
  return `${weekdayDate(day, language)}, ${time.slice(0, 5).replace(':', '.')}`
}
