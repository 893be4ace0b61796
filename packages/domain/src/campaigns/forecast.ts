import type { Channel } from './campaigns.ts'
import { dayHours } from './pace.ts'
import { quietFrom, quietUntil } from './quiet-hours.ts'

const minuteMs = 60_000
const dayMs = dayHours * 60 * minuteMs

/** How fast a channel may send. Null in `perMinute` or `perDay` means no limit. */
export type ChannelPace = {
  perMinute: number | null
  perDay: number | null
  /** Messages since `dayStartedAt`, counted towards `perDay`. */
  usedToday: number
  dayStartedAt: Date | null
}

/** Waiting recipients in one time zone whose next message goes by the same channel. */
export type Waiting = {
  channel: Channel
  timeZone: string
  people: number
  /** When the first recipient of the group is due. */
  dueAt: Date
}

export type ForecastQuestion = {
  waiting: readonly Waiting[]
  paces: Readonly<Record<'whatsapp' | 'email', ChannelPace>>
  startsAt: Date
  /** Whether mail and WhatsApp wait during the recipient's quiet hours. */
  keepsQuietHours: boolean
}

export const forecastLimits = [
  'whatsapp_day',
  'whatsapp_minute',
  'mail_day',
  'mail_minute',
  'quiet_hours',
  'none',
] as const
export type Forecast = {
  endsAt: Date | null
  limit: (typeof forecastLimits)[number]
  perDay: number | null
  /**
   * Earliest end of the recipients' quiet hours; null unless quiet hours apply to every recipient at the start. A
   * recipient may be due even later.
   */
  quietUntil: Date | null
}

/** The loop in `endOf` takes at most `mostDays * pausesPerDay` steps. */
const mostDays = 1_000
const pausesPerDay = 8

const earliest = (times: readonly Date[]) => new Date(Math.min(...times.map((time) => time.getTime())))

/** Estimates when the last message is sent. The slowest channel decides `endsAt` and `limit`. */
export function forecastOf({ waiting, paces, startsAt, keepsQuietHours }: ForecastQuestion): Forecast {
  const quietEnds = waiting.map(({ channel, timeZone }) =>
    keepsQuietHours && channel !== 'inbox' ? quietUntil(startsAt, timeZone) : null,
  )
  const isHeld = quietEnds.length > 0 && quietEnds.every((end) => end !== null)
  let latest: Forecast & { endsAt: Date } = {
    ...{ endsAt: startsAt, limit: 'none', perDay: null },
    quietUntil: isHeld ? earliest(quietEnds) : null,
  }
  for (const channel of ['whatsapp', 'email'] as const) {
    const groups = waiting.filter((group) => group.channel === channel && group.people > 0)
    if (groups.length === 0) continue
    const end = endOf(groups, paces[channel], startsAt, keepsQuietHours)
    const prefix = channel === 'whatsapp' ? 'whatsapp' : 'mail'
    const limit = end.limit === 'day' || end.limit === 'minute' ? (`${prefix}_${end.limit}` as const) : end.limit
    const { perDay } = paces[channel]
    if (!end.at) return { ...latest, endsAt: null, limit, perDay }
    if (end.at > latest.endsAt || latest.limit === 'none') latest = { ...latest, endsAt: end.at, limit, perDay }
  }
  return latest
}

type End = { at: Date | null; limit: 'day' | 'minute' | 'quiet_hours' | 'none' }

/**
 * Simulates sending on one channel, step by step. Groups that are due and outside quiet hours share the pace in
 * proportion to their number of people.
 */
function endOf(groups: readonly Waiting[], pace: ChannelPace, startsAt: Date, keepsQuietHours: boolean): End {
  const { perMinute, perDay } = pace
  if (perMinute === 0 || perDay === 0) return { at: null, limit: perDay === 0 ? 'day' : 'minute' }
  let left = groups
  let at = startsAt
  let { dayStartedAt, usedToday } = pace
  let limit: End['limit'] = 'none'
  for (let step = 0; step < mostDays * pausesPerDay; step++) {
    const held = left.flatMap((group) => {
      const quietEnd = keepsQuietHours ? quietUntil(at, group.timeZone) : null
      const until = quietEnd && quietEnd > group.dueAt ? quietEnd : group.dueAt
      return until > at ? [{ group, until, isQuiet: quietEnd !== null }] : []
    })
    const open = left.filter((group) => held.every((other) => other.group !== group))
    if (open.length === 0) {
      if (limit !== 'day' && held.some(({ isQuiet }) => isQuiet)) limit = 'quiet_hours'
      at = earliest(held.map(({ until }) => until))
      continue
    }
    if (!dayStartedAt || at.getTime() >= dayStartedAt.getTime() + dayMs) {
      dayStartedAt = at
      usedToday = 0
    }
    const count = peopleOf(open)
    const budget = perDay === null ? count : Math.max(0, perDay - usedToday)
    if (budget === 0) {
      at = new Date(dayStartedAt.getTime() + dayMs)
      limit = 'day'
      continue
    }
    const pauses = [
      ...held.map(({ until }) => until),
      ...(keepsQuietHours ? open.map(({ timeZone }) => quietFrom(at, timeZone)) : []),
    ]
    const minutes = pauses.length > 0 ? (earliest(pauses).getTime() - at.getTime()) / minuteMs : Infinity
    const inTime = perMinute === null ? count : Math.max(1, Math.floor(minutes * perMinute))
    const sent = Math.min(count, budget, inTime)
    left = left.flatMap((group) => {
      const people = open.includes(group) ? group.people * (1 - sent / count) : group.people
      return people > 0 ? [{ ...group, people }] : []
    })
    usedToday += sent
    at = new Date(at.getTime() + (perMinute === null ? 0 : (sent / perMinute) * minuteMs))
    if (left.length === 0) return { at, limit: limit === 'none' && perMinute !== null ? 'minute' : limit }
  }
  return { at: null, limit }
}

const peopleOf = (groups: readonly Waiting[]) => groups.reduce((sum, { people }) => sum + people, 0)
