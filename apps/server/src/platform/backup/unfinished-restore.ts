import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/platform/database/database.ts'
import { StartError } from '#server/platform/postgres/start-error.ts'

/** Stands on the table of the counters while they are as old as the backup: each would give numbers a second time. */
const mark = 'the counters are as old as the backup'

export const markUnfinished = (client: pg.Client) => client.query(`COMMENT ON TABLE number_counters IS '${mark}'`)

/** The counters have moved on: a server may start once this is committed. */
export const markFinished = (tx: Db) => sql`COMMENT ON TABLE number_counters IS NULL`.execute(tx)

/** Throws where a restore was interrupted between loading the rows and moving the counters on. */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  const { rows } = await sql<{ mark: string | null }>`
    SELECT obj_description(to_regclass('public.number_counters'), 'pg_class') AS mark`.execute(db)
  if (rows[0]!.mark === mark)
    throw new StartError(
      'The restore of this database was interrupted before its counters moved on. Run npm run restore once more, with --replace.',
    )
}
