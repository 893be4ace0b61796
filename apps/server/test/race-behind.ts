import { type RawBuilder, sql } from 'kysely'
import { vi } from 'vitest'
import type { TestApp } from './test-app.ts'

/** Holds a lock until so many transactions wait for locks, so that what they do really races. */
export async function raceBehind<T>(
  t: TestApp,
  lock: RawBuilder<unknown>,
  count: number,
  start: () => Promise<T>,
): Promise<T> {
  let racing: Promise<T>
  await t.owner.transaction().execute(async (tx) => {
    await lock.execute(tx)
    racing = start()
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(t.owner)
        if (rows[0]!.waiting < count) throw new Error(`${rows[0]!.waiting} wait`)
      },
      { timeout: 10_000, interval: 20 },
    )
  })
  return racing!
}
