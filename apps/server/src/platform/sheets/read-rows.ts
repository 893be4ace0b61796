import { type Expression, sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

const batchSize = 500

/** Reads the rows of a query a few hundred at a time through a cursor, however many there are. Holds one connection meanwhile. */
export async function* readBatches<Row extends object = Record<string, unknown>>(
  db: Db,
  query: Expression<unknown>,
): AsyncGenerator<Row[]> {
  const tx = db.isTransaction ? null : await db.startTransaction().setAccessMode('read only').execute()
  const on: Db = tx ?? db
  try {
    await sql`DECLARE sheet_rows NO SCROLL CURSOR FOR ${query}`.execute(on)
    for (;;) {
      const { rows } = await sql<Row>`FETCH ${sql.raw(String(batchSize))} FROM sheet_rows`.execute(on)
      yield rows
      if (rows.length < batchSize) break
    }
    if (!tx) await sql`CLOSE sheet_rows`.execute(on as Tx)
  } finally {
    if (tx) await tx.rollback().execute()
  }
}

/** `readBatches`, row by row. */
export async function* readRows<Row extends object = Record<string, unknown>>(
  db: Db,
  query: Expression<unknown>,
): AsyncGenerator<Row> {
  for await (const rows of readBatches<Row>(db, query)) yield* rows
}
