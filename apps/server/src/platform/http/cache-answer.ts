import crypto from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'

/** Milliseconds for which visitors may see a stale price or date. */
const freshForMs = 15_000

type CachedAnswer = { body: string; etag: string; at: number }

/** Caches an answer in memory: the database is queried once in 15 seconds, however many visitors ask. */
export function cacheAnswer(clock: Clock, readData: () => Promise<unknown>) {
  let cached: CachedAnswer | undefined
  let renewal: Promise<CachedAnswer> | undefined
  const renew = async () => {
    const at = clock.now().getTime()
    const body = JSON.stringify({ data: await readData() })
    cached = { body, etag: `"${crypto.createHash('sha1').update(body).digest('base64url')}"`, at }
    return cached
  }
  return async (): Promise<CachedAnswer> => {
    const ageMs = cached ? clock.now().getTime() - cached.at : -1
    if (cached && ageMs >= 0 && ageMs < freshForMs) return cached
    renewal ??= renew().finally(() => {
      renewal = undefined
    })
    return renewal
  }
}
