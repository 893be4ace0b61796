import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** PostgreSQL codes for lock timeout, deadlock, and a referenced school deleted meanwhile. */
const retryableCodes = ['55P03', '40P01', '23503']
const maxAttempts = 6

/**
 * Runs a transaction with a short lock timeout and retries it, so that a concurrent save of a profile is never refused.
 */
export async function retryTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`SET LOCAL lock_timeout = ${sql.lit(attempt < maxAttempts ? '300ms' : '5s')}`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (attempt === maxAttempts || !retryableCodes.includes(String((error as { code?: unknown }).code))) throw error
      await pause(40 * attempt * (1 + Math.random()))
    }
  }
}
