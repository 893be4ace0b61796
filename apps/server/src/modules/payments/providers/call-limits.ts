import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { keptHeaders } from './kept-headers.ts'
import type { RawReport, UnsignedReport } from './provider.ts'

const minuteMs = 60_000
/** Calls without a signature that one network may make to one connection within ten minutes, and all networks together. */
const unsigned = { windowMs: 10 * minuteMs, perNetwork: 60, perConnection: 600 }
/** Signed requests for a token, each of which is good for 15 minutes of calls. */
const genuine = { windowMs: minuteMs, perConnection: 120 }
/** Bytes kept of a body nobody has signed. A report has less than two thousand. */
const keptBytes = 8 * 1024

type Window = { endsAt: number; counts: Map<string, number> }
const windows = new WeakMap<Services['config'], Map<string, Window>>()

/** Counts a call under all keys, or throws 429 where it is one too many for any: so the keys of a window stay few. */
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

/** Throws 429 where a bank asks for more tokens than it can use. */
export const countGenuineCall = (services: Services, provider: string) =>
  count(services, `genuine ${provider}`, genuine.windowMs, [['all', genuine.perConnection]])

/**
 * Throws 429 where a network, or all of them together, sends a connection too much that it has not signed. Signed calls are
 * never counted here, so a flood from the address of a proxy keeps no bank away.
 */
export const countUnsignedCall = (services: Services, provider: string, network: string) =>
  count(services, `unsigned ${provider}`, unsigned.windowMs, [
    [`network ${network}`, unsigned.perNetwork],
    ['all', unsigned.perConnection],
  ])

/** Keeps what came without a signature, apart from the reports that count; 429 where it is too much. */
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
