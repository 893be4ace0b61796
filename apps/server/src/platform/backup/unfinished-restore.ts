import { sql } from 'kysely'
import type pg from 'pg'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import { StartError } from '#server/platform/postgres/start-error.ts'

/**
 * Comment on the counters table while the counters are as old as the backup: the next number may already have been
 * given out.
 */
const mark = 'the counters are as old as the backup'

export const markUnfinished = (client: pg.Client) => client.query(`COMMENT ON TABLE number_counters IS '${mark}'`)

/** Removes the mark; a server may start once this is committed. */
export const markFinished = (tx: Db) => sql`COMMENT ON TABLE number_counters IS NULL`.execute(tx)

/** Throws if a restore was interrupted between loading the rows and moving the counters. */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  const { rows } = await sql<{ mark: string | null }>`
    SELECT obj_description(to_regclass('public.number_counters'), 'pg_class') AS mark`.execute(db)
  if (theOnly(rows).mark === mark)
    throw new StartError(
      'The restore of this database was interrupted before its counters moved on. Run npm run restore once more, with --replace.',
    )
}
