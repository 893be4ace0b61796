import type { SeatStatus } from '#domain/testing/seat-status.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, timeRange, weekdayDate } from '#locales/format.ts'
import { roomsOf } from '#server/modules/testing/rooms/give-place.ts'
import { type SeatedRoom, seatLabel } from '#server/modules/testing/rooms/seat-people.ts'
import { getSession } from '#server/modules/testing/sessions/read-session.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

export type SheetPerson = {
  name: string
  code: string
  status: SeatStatus
  photoFileId: string | null
  /** `B3` in a grid, else the number; empty without a place. */
  seat: string
}
/** A room with its people in seat order; `name` is null for people without a place. */
export type SheetRoom = Pick<SeatedRoom, 'capacity'> & { name: string | null; people: SheetPerson[] }

export type SheetContents = Awaited<ReturnType<typeof sheetContents>>

/** Everything printed for a session: its rooms, or one of them, with the people the actor sees. */
export async function sheetContents(
  services: Services,
  actor: Actor,
  id: string,
  { roomId, language }: { roomId?: string | undefined; language: Language },
) {
  const { db, clock } = services
  const now = clock.now()
  const session = await getSession(db, id, now)
  const settings = await getSettings(db)
  const t = sentences(language)
  const rooms = await roomsOf(db, id)
  if (roomId && !rooms.some((room) => room.id === roomId)) throw notFound('room')
  const people = await db
    .selectFrom('testSeats as p')
    .innerJoin('registrations as r', 'r.id', 'p.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['p.roomId', 'p.seatNumber', 'p.status', 'r.code', 'a.fullName as name', 'a.photoFileId'])
    .where('p.testSessionId', '=', id)
    .where('p.status', 'in', ['booked', 'attended', 'absent'])
    .where(visibleTo(actor))
    .orderBy('p.seatNumber')
    .orderBy('a.fullName')
    .orderBy('r.code')
    .execute()
  const peopleIn = (room: { id: string; seatColumns: number | null } | null): SheetPerson[] =>
    people
      .filter((person) => person.roomId === (room?.id ?? null))
      .map(({ seatNumber, roomId: _, ...person }) => ({
        ...person,
        seat: room && seatNumber !== null ? seatLabel(seatNumber, room.seatColumns) : '',
      }))
  const withoutPlace = peopleIn(null)
  const shownRooms: SheetRoom[] = [
    ...rooms
      .filter((room) => !roomId || room.id === roomId)
      .map((room) => ({ name: room.name, capacity: room.capacity, people: peopleIn(room) })),
    ...(!roomId && (withoutPlace.length > 0 || rooms.length === 0)
      ? [{ name: null, capacity: session.capacity, people: withoutPlace }]
      : []),
  ]
  return {
    t,
    language,
    settings,
    logo: await logoBytes(services, settings),
    session,
    when: `${weekdayDate(session.date, language)}, ${timeRange(session.startTime, session.endTime)}`,
    rooms: shownRooms,
    printed: t('test-sessions:print.printed', { at: dateTime(now, language) }),
  }
}
