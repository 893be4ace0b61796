import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { keptHeaders } from './kept-headers.ts'
import type { RawReport, UnsignedReport } from './provider.ts'

const minuteMs = 60_000
/** Limits for unsigned calls to one connection within ten minutes: from one network, and from all networks together. */
const unsigned = { windowMs: 10 * minuteMs, perNetwork: 60, perConnection: 600 }
/** Limit for signed requests for a token; each token is valid for 15 minutes. */
const genuine = { windowMs: minuteMs, perConnection: 120 }
/** Stored bytes of an unsigned body. A genuine report has less than two thousand. */
const keptBytes = 8 * 1024

type Window = { endsAt: number; counts: Map<string, number> }
const windows = new WeakMap<Services['config'], Map<string, Window>>()

/**
 * Counts a call under all keys, or throws 429 if any key is at its limit. A refused call is not counted, so a window
 * stores few keys.
 */
function count({ config, clock }: Services, name: string, windowMs: number, limits: [key: string, most: number][]) {
  const own = windows.get(config) ?? new Map<string, Window>()
  windows.set(config, own)
  const now = clock.now().getTime()
  let window = own.get(name)
  if (!window || window.endsAt <= now || window.endsAt > now + windowMs) {
    window = { endsAt: now + windowMs, counts: new Map() }
    own.set(name, window)
  }
  const { counts, endsAt } = window
  if (limits.some(([key, most]) => (counts.get(key) ?? 0) >= most))
    throw new AppError(429, 'too_many_requests', { retryAfter: Math.ceil((endsAt - now) / 1_000) })
  for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Throws 429 if a bank requests more tokens than it can use. */
export const countGenuineCall = (services: Services, provider: string) =>
  count(services, `genuine ${provider}`, genuine.windowMs, [['all', genuine.perConnection]])

/**
 * Throws 429 if one network, or all networks together, sends a connection too many unsigned calls. Signed calls are not
 * counted here, so a flood through a proxy blocks no bank behind it.
 */
export const countUnsignedCall = (services: Services, provider: string, network: string) =>
  count(services, `unsigned ${provider}`, unsigned.windowMs, [
    [`network ${network}`, unsigned.perNetwork],
    ['all', unsigned.perConnection],
  ])

/** Stores an unsigned call apart from genuine reports; 429 above the limits. */
export async function refuseReport(
  services: Services,
  provider: string,
  { network, body, headers }: RawReport,
  outcome: UnsignedReport['kind'],
) {
  countUnsignedCall(services, provider, network)
  await services.db
    .insertInto('unverifiedReports')
    .values({
      provider,
      network: network.slice(0, 60),
      body: body.subarray(0, keptBytes),
      size: body.length,
      headers: keptHeaders(headers),
      outcome,
      receivedAt: services.clock.now(),
    })
    .execute()
}
