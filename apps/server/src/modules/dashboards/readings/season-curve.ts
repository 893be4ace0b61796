import { daysBetween, universityCalendar } from '#domain/calendar.ts'
import type { CardContent } from '#domain/dashboards/endpoints.ts'
import type { Season, SeasonBefore } from './season-figures.ts'

/** Most points of the curve; a longer season is drawn with every second day, every third, and so on. */
const mostPoints = 60

/** Cumulated submitted registrations by day, of this season and the one before. Both end at the figures of the card. */
export function seasonCurve(
  at: Date,
  season: Season,
  before: SeasonBefore | null,
): Partial<Pick<CardContent, 'days' | 'curves' | 'notes'>> {
  const today = universityCalendar().dayOf(at)
  const known = [...season.days.keys(), ...(before?.days.keys() ?? [])].sort()
  const all = daysBetween(known[0] ?? today, today)
  const every = Math.ceil(all.length / mostPoints)
  const days = all.filter((_, index) => (all.length - 1 - index) % every === 0)
  if (days.length < 2) return {}
  const sumsOf = (counts: ReadonlyMap<string, number>) => {
    const sorted = [...counts].sort(([one], [other]) => one.localeCompare(other))
    let [index, sum] = [0, 0]
    return days.map((day) => {
      for (; index < sorted.length && sorted[index]![0] <= day; index++) sum += sorted[index]![1]
      return sum
    })
  }
  return {
    days,
    curves: [
      { key: 'thisSeason', kind: 'count', values: sumsOf(season.days) },
      ...(before ? [{ key: 'lastSeason', kind: 'count' as const, values: sumsOf(before.days) }] : []),
    ],
    ...(!before && { notes: ['noHistory'] }),
  }
}
