import { type Expression, sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

const batchSize = 500

/** Reads the rows of a query through a cursor, 500 at a time. Holds a connection until the end. */
export async function* readBatches<Row extends object = Record<string, unknown>>(
  db: Db,
  query: Expression<unknown>,
): AsyncGenerator<Row[]> {
  const tx = db.isTransaction ? null : await db.startTransaction().setAccessMode('read only').execute()
  const connection: Db = tx ?? db
  try {
    await sql`DECLARE sheet_rows NO SCROLL CURSOR FOR ${query}`.execute(connection)
    for (;;) {
      const { rows } = await sql<Row>`FETCH ${sql.raw(String(batchSize))} FROM sheet_rows`.execute(connection)
      yield rows
      if (rows.length < batchSize) break
    }
    if (!tx) await sql`CLOSE sheet_rows`.execute(connection as Tx)
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
