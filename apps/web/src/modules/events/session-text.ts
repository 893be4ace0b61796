import type { Language } from '#entities/define/language.ts'
import { timeOfDay, timeRange, weekdayDate } from '#locales/format.ts'

type Session = { name: string; startsAt: string; endsAt: string; room: string }

/** Weekday, date and times of a session. */
export const sessionTime = ({ startsAt, endsAt }: Pick<Session, 'startsAt' | 'endsAt'>, language: Language) =>
  `${weekdayDate(new Date(startsAt), language)}, ${timeRange(timeOfDay(startsAt, language), timeOfDay(endsAt, language))}`

export const sessionText = (session: Session, language: Language) =>
  [session.name, sessionTime(session, language), session.room].filter(Boolean).join(' · ')
