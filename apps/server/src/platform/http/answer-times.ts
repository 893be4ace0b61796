import type { FastifyInstance } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'

/** Upper limits of the bins in milliseconds; the last bin is unlimited. */
export const binLimitsMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const
const binCount = binLimitsMs.length + 1
const slotMs = 5 * 60_000
const slotCount = 12

type Slot = { startMs: number; bins: Uint32Array; failed: number; slowestMs: number }
type Route = {
  /** Counts since the start of the process. */
  bins: Uint32Array
  totalMs: number
  /** Twelve slots of five minutes, each overwritten after an hour. */
  slots: Slot[]
}

export type RouteTimes = {
  route: string
  count: number
  failed: number
  p50Ms: number
  p95Ms: number
  slowestMs: number
}

/**
 * Response times by route on this server, in memory of fixed size: 12 bins, for the process and for each slot of the
 * last hour.
 */
export type AnswerTimes = {
  record(route: string, ms: number, status: number, nowMs: number): void
  /** One entry per route, plus one for all routes together. */
  lastHour(nowMs: number): { all: RouteTimes; routes: RouteTimes[] }
  /** Bins and sum per route since the start of the process. */
  sinceStart(): { route: string; bins: readonly number[]; totalMs: number }[]
  /** Answers since the start of the process, by first digit of their status. */
  statuses(): ReadonlyMap<number, number>
}

const emptySlot = (): Slot => ({ startMs: -1, bins: new Uint32Array(binCount), failed: 0, slowestMs: 0 })

export function answerTimes(): AnswerTimes {
  const routes = new Map<string, Route>()
  const statuses = new Map<number, number>()

  return {
    record(route, ms, status, nowMs) {
      let entry = routes.get(route)
      if (!entry) {
        entry = { bins: new Uint32Array(binCount), totalMs: 0, slots: Array.from({ length: slotCount }, emptySlot) }
        routes.set(route, entry)
      }
      const limit = binLimitsMs.findIndex((limitMs) => ms <= limitMs)
      const bin = limit === -1 ? binCount - 1 : limit
      entry.bins[bin]!++
      entry.totalMs += ms
      const startMs = Math.floor(nowMs / slotMs) * slotMs
      const slot = entry.slots[(startMs / slotMs) % slotCount]!
      if (slot.startMs !== startMs) Object.assign(slot, emptySlot(), { startMs })
      slot.bins[bin]!++
      slot.slowestMs = Math.max(slot.slowestMs, ms)
      if (status >= 500) slot.failed++
      const digit = Math.floor(status / 100)
      statuses.set(digit, (statuses.get(digit) ?? 0) + 1)
    },

    lastHour(nowMs) {
      const newest = Math.floor(nowMs / slotMs) * slotMs
      const isRecent = ({ startMs }: Slot) => startMs > newest - slotCount * slotMs && startMs <= newest
      const perRoute = [...routes].map(([route, { slots }]) => ({ route, slots: slots.filter(isRecent) }))
      return {
        all: timesOf(
          '',
          perRoute.flatMap(({ slots }) => slots),
        ),
        routes: perRoute.map(({ route, slots }) => timesOf(route, slots)).filter(({ count }) => count > 0),
      }
    },

    sinceStart: () => [...routes].map(([route, { bins, totalMs }]) => ({ route, bins: [...bins], totalMs })),
    statuses: () => statuses,
  }
}

function timesOf(route: string, slots: readonly Slot[]): RouteTimes {
  const bins = Array.from({ length: binCount }, (_, bin) => slots.reduce((sum, slot) => sum + slot.bins[bin]!, 0))
  const slowestMs = Math.max(0, ...slots.map((slot) => slot.slowestMs))
  return {
    route,
    count: bins.reduce((sum, count) => sum + count, 0),
    failed: slots.reduce((sum, slot) => sum + slot.failed, 0),
    p50Ms: quantile(bins, 0.5, slowestMs),
    p95Ms: quantile(bins, 0.95, slowestMs),
    slowestMs,
  }
}

/** Time within which this share of requests was answered, interpolated within its bin. */
function quantile(bins: readonly number[], share: number, slowestMs: number): number {
  const rank = share * bins.reduce((sum, count) => sum + count, 0)
  let below = 0
  for (const [bin, count] of bins.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = bin === 0 ? 0 : binLimitsMs[bin - 1]!
      const to = Math.min(binLimitsMs[bin] ?? slowestMs, slowestMs)
      return from + (to - from) * ((rank - below) / count)
    }
    below += count
  }
  return 0
}

/**
 * Routes that machines call all day and that would hide the others; and the chat stream, which lasts as long as its
 * reader.
 */
const unmeasured = new Set(['/api/health', '/api/ready', '/api/metrics', '/api/chat/stream'])

/** Records the response time of every API call under its route pattern. */
export function measureAnswers(
  app: FastifyInstance,
  { answerTimes: times, clock }: { answerTimes: AnswerTimes; clock: Clock },
) {
  app.addHook('onResponse', (request, reply, done) => {
    const { url, method } = request.routeOptions
    if (url?.startsWith('/api/') && !unmeasured.has(url))
      times.record(`${String(method)} ${url}`, reply.elapsedTime, reply.statusCode, clock.now().getTime())
    done()
  })
}
