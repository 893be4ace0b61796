import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

type Work = (db: Db, services: Services) => Promise<void>

export type Seed = {
  name: string
  /** `db` and `services.db` are the owner's same connection. */
  work: Work
  /**
   * Runs at every start and adds what a newer version declares. Other seeds run once, in one transaction with their
   * mark.
   */
  repeats?: true
  when?: (config: Services['config']) => boolean
}

/**
 * Marks names as seeded and returns those that were not marked before. Existing rows do not count, because staff may
 * have renamed or deleted them. Call it in the transaction that adds the rows.
 */
export async function markSeeded(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    INSERT INTO seeds (name) SELECT DISTINCT unnest(${names}::text[]) ON CONFLICT DO NOTHING RETURNING name`.execute(tx)
  return new Set(rows.map(({ name }) => name))
}

export async function runSeed(services: Services, { name, work, repeats, when = () => true }: Seed): Promise<void> {
  if (!when(services.config)) return
  if (repeats) return work(services.db, services)
  await services.db.transaction().execute(async (tx) => {
    if (!(await markSeeded(tx, [name])).has(name)) return
    const db = joining(tx)
    await work(db, { ...services, db })
  })
}

/** The transaction as a database whose `transaction()` joins it. */
function joining(tx: Tx): Db {
  const builder: ReturnType<Db['transaction']> = {
    setAccessMode: () => builder,
    setIsolationLevel: () => builder,
    execute: (work) => work(tx),
  }
  return Object.assign(tx as Db, { transaction: () => builder })
}
