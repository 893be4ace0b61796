import type { Problems } from '#domain/endpoint.ts'
import { type RoomInput, roomProblems } from '#domain/testing/rooms/room-input.ts'

export type TimeSpan = { startTime: string; endTime: string }

/** Whether two time spans of one day overlap; times are `09:00`. */
export const overlaps = (a: TimeSpan, b: TimeSpan) => a.startTime < b.endTime && b.startTime < a.endTime

type SeriesInput = {
  days?: readonly string[]
  times?: readonly Partial<TimeSpan>[]
  rooms?: readonly Partial<RoomInput>[]
  capacity?: number | null
}

/** Times must end after they start and not overlap; a session without rooms needs its own capacity. */
export function seriesProblems(body: SeriesInput): Problems {
  const problems = roomProblems(body)
  const times = body.times ?? []
  for (const [index, time] of times.entries()) {
    const { startTime, endTime } = time
    if (!startTime || !endTime) continue
    if (endTime <= startTime) problems[`times.${index}.endTime`] = 'test_times_reversed'
    else if (times.slice(0, index).some((earlier) => overlaps({ startTime, endTime }, earlier as TimeSpan)))
      problems[`times.${index}.startTime`] = 'test_times_overlap'
  }
  if (body.rooms?.length === 0 && !body.capacity) problems.capacity = 'test_rooms_missing'
  return problems
}

/** Days × times, earliest first; names are numbered if there are several. */
export function sessionsOfSeries(name: string, days: readonly string[], times: readonly TimeSpan[]) {
  const pairs = [...new Set(days)]
    .sort()
    .flatMap((date) =>
      [...times]
        .sort((a, b) => (a.startTime < b.startTime ? -1 : 1))
        .map(({ startTime, endTime }) => ({ date, startTime, endTime })),
    )
  return pairs.map((pair, index) => ({ ...pair, name: pairs.length > 1 ? `${name} ${index + 1}` : name }))
}
