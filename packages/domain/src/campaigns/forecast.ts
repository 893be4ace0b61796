import type { Channel } from './campaigns.ts'
import { dayHours } from './pace.ts'
import { quietFrom, quietUntil } from './quiet-hours.ts'

const minuteMs = 60_000
const dayMs = dayHours * 60 * minuteMs

/** Pace of a channel; null where nothing limits it. */
export type ChannelPace = {
  perMinute: number | null
  perDay: number | null
  /** Counted already in the day that is running, and when that day began. */
  usedToday: number
  dayStartedAt: Date | null
}

export type ForecastQuestion = {
  /** People by the channel that is tried first. */
  people: Readonly<Partial<Record<Channel, number>>>
  paces: Readonly<Record<'whatsapp' | 'email', ChannelPace>>
  startsAt: Date
  /** Time zone whose quiet hours count; null where they do not. */
  quietZone: string | null
}

export const forecastLimits = [
  'whatsapp_day',
  'whatsapp_minute',
  'mail_day',
  'mail_minute',
  'quiet_hours',
  'none',
] as const
export type Forecast = { endsAt: Date | null; limit: (typeof forecastLimits)[number]; perDay: number | null }

/** Days after which a forecast is given up. */
const mostDays = 1_000

/** When the last message leaves, and the limit that decides it: the channel that takes longest. */
export function forecastOf({ people, paces, startsAt, quietZone }: ForecastQuestion): Forecast {
  const firstAt = (quietZone && quietUntil(startsAt, quietZone)) || startsAt
  let latest: Forecast = { endsAt: firstAt, limit: firstAt > startsAt ? 'quiet_hours' : 'none', perDay: null }
  for (const channel of ['whatsapp', 'email'] as const) {
    const count = people[channel] ?? 0
    if (count === 0) continue
    const end = endOf(count, paces[channel], startsAt, quietZone)
    const prefix = channel === 'whatsapp' ? 'whatsapp' : 'mail'
    const limit = end.limit === 'day' || end.limit === 'minute' ? (`${prefix}_${end.limit}` as const) : end.limit
    if (!end.at) return { endsAt: null, limit, perDay: paces[channel].perDay }
    if (end.at > latest.endsAt! || latest.limit === 'none')
      latest = { endsAt: end.at, limit, perDay: paces[channel].perDay }
  }
  return latest
}

type End = { at: Date | null; limit: 'day' | 'minute' | 'quiet_hours' | 'none' }

/** Walks from pause to pause: quiet hours, and days whose budget is used up. */
function endOf(count: number, pace: ChannelPace, startsAt: Date, quietZone: string | null): End {
  const { perMinute, perDay } = pace
  if (perMinute === 0 || perDay === 0) return { at: null, limit: perDay === 0 ? 'day' : 'minute' }
  const minutesFor = (messages: number) => (perMinute === null ? 0 : messages / perMinute)
  let at = startsAt
  let left = count
  let day = { startedAt: pace.dayStartedAt, used: pace.usedToday }
  let limit: End['limit'] = 'none'
  for (let step = 0; step < mostDays * 3; step++) {
    const loudAt = quietZone ? quietUntil(at, quietZone) : null
    if (loudAt) {
      at = loudAt
      if (limit !== 'day') limit = 'quiet_hours'
    }
    if (!day.startedAt || at.getTime() >= day.startedAt.getTime() + dayMs) day = { startedAt: at, used: 0 }
    const budget = perDay === null ? left : Math.max(0, perDay - day.used)
    if (budget === 0) {
      at = new Date(day.startedAt!.getTime() + dayMs)
      limit = 'day'
      continue
    }
    const loudMinutes = quietZone ? (quietFrom(at, quietZone).getTime() - at.getTime()) / minuteMs : Infinity
    const inTime = perMinute === null ? left : Math.floor(loudMinutes * perMinute)
    const sent = Math.min(left, budget, Math.max(1, inTime))
    left -= sent
    day.used += sent
    at = new Date(at.getTime() + minutesFor(sent) * minuteMs)
    if (left === 0) return { at, limit: limit === 'none' && perMinute !== null ? 'minute' : limit }
  }
  return { at: null, limit }
}
