import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** A wait that ended, a deadlock, a school that went away between being read and being pointed to. */
const passing = ['55P03', '40P01', '23503']
const turns = 6

/**
 * Runs a transaction that waits only shortly for others and steps back for them: whoever saves a profile meanwhile is
 * never the one who is refused. Tried again a few times.
 */
export async function withPatience<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`SET LOCAL lock_timeout = ${sql.lit(turn < turns ? '300ms' : '5s')}`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (turn === turns || !passing.includes(String((error as { code?: unknown }).code))) throw error
      await pause(40 * turn * (1 + Math.random()))
    }
  }
}
