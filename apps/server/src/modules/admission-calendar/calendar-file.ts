import { longestSpanDays } from '#domain/admission-calendar/endpoints.ts'
import { calendarOf, shiftDay } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { type CalendarEvent, iCalendarOf } from '#server/platform/files/i-calendar.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { readCalendar } from './read-calendar.ts'

/** Spans of the file; together a little more than the instalments of a year. */
const spans = 4
/** A deadline fills the hour that ends with it. */
const deadlineMs = 3_600_000

/**
 * The reader's coming dates as an iCalendar file. Ids stay, so a file that is opened later moves what has changed and
 * adds nothing twice. Applicants get no dates of intakes, which are not theirs.
 */
export async function calendarFile({ db, clock, config }: Services, actor: Actor, language: Language): Promise<string> {
  const now = clock.now()
  const { timeZone, universityName } = await getSettings(db)
  const t = sentences(language)
  const host = new URL(config.publicUrl).hostname
  const today = calendarOf(timeZone).dayOf(now)
  const events: CalendarEvent[] = []
  for (let span = 0; span < spans; span++) {
    const from = shiftDay(today, span * longestSpanDays)
    const entries = await readCalendar(db, actor, now, { from, to: shiftDay(from, longestSpanDays - 1) })
    for (const { id, kind, at, endsAt, name, detail, count, path, sequence } of entries) {
      if (at < now || (isApplicant(actor) && (kind === 'opens' || kind === 'closes'))) continue
      const what =
        kind === 'bills'
          ? t('admission-calendar:bills', { count: count ?? 0 })
          : t(`admission-calendar:kinds.${kind}`, { name })
      events.push({
        // The file of one seat has the same id, so a calendar shows the test once.
        uid: `${kind === 'seat' && path ? `test-${path.split('/').at(-1)}` : id.replaceAll(':', '-')}@${host}`,
        sequence: sequence ?? Math.floor(now.getTime() / 60_000),
        stamp: now,
        startsAt: endsAt ? at : new Date(at.getTime() - deadlineMs),
        endsAt: endsAt ?? at,
        summary: `${what} · ${universityName}`,
        location: (kind === 'seat' && detail) || '',
        url: config.publicUrl + (path ?? '/dashboard'),
      })
    }
  }
  return iCalendarOf(events)
}
