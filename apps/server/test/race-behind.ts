import { type RawBuilder, sql } from 'kysely'
import { vi } from 'vitest'
import type { TestApp } from './test-app.ts'

/** Waits until that many transactions wait for locks. */
export const untilLocked = (t: TestApp, count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(t.owner)
      if (rows[0]!.waiting < count) throw new Error(`${rows[0]!.waiting} wait`)
    },
    { timeout: 10_000, interval: 20 },
  )

/**
 * Holds a lock until that many transactions wait for locks, so that they really race; runs `meanwhile` before releasing
 * it.
 */
export async function raceBehind<T>(
  t: TestApp,
  lock: RawBuilder<unknown>,
  count: number,
  start: () => Promise<T>,
  meanwhile?: RawBuilder<unknown>,
): Promise<T> {
  let racing: Promise<T>
  await t.owner.transaction().execute(async (tx) => {
    await lock.execute(tx)
    racing = start()
    await untilLocked(t, count)
    await meanwhile?.execute(tx)
  })
  return racing!
}
