import { type Expression, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { giveMoreMemory } from '#server/platform/database/more-memory.ts'
import { whileHolding } from '#server/platform/database/transaction-guard.ts'

const batchSize = 500

/**
 * Reads a query's rows through a cursor, 500 at a time, and converts each batch. Holds one connection until the end;
 * `convert` queries on that connection. `asNamed` keeps the query's column names. PostgreSQL reads the next batch while
 * the rows of the previous one are used.
 */
export async function* readRows<Row extends object, Converted>(
  db: Db,
  query: Expression<unknown>,
  convert: (found: Row[], connection: Db) => readonly Converted[] | Promise<readonly Converted[]>,
  { asNamed = false } = {},
): AsyncGenerator<Converted> {
  const tx = await db.startTransaction().setAccessMode('read only').execute()
  try {
    await giveMoreMemory(tx)
    await sql`DECLARE sheet_rows NO SCROLL CURSOR FOR ${query}`.execute(tx)
    const reading = asNamed ? tx.withoutPlugins() : tx
    const fetchBatch = () => sql<Row>`FETCH ${sql.raw(String(batchSize))} FROM sheet_rows`.execute(reading)
    for (let batch = fetchBatch(); ; ) {
      const { rows } = await batch
      const converted = await whileHolding(db, async () => convert(rows, tx))
      if (rows.length < batchSize) return yield* converted
      batch = fetchBatch()
      // A failure is thrown when the batch is awaited, which a reader that stops early never does.
      batch.catch(() => {})
      yield* converted
    }
  } finally {
    await tx.rollback().execute()
  }
}
