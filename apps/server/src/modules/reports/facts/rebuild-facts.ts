import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Memory for grouping the lines of all bills; with the default 4 MB, those of a million registrations would be sorted
 * on disk.
 */
const groupingMemory = '256MB'

/** Makes all stored facts again. Writers wait meanwhile; `db` belongs to the owner of the tables. */
export const rebuildFacts = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('work_mem', ${groupingMemory}, true)`.execute(tx)
    await sql`SELECT rebuild_report_facts()`.execute(tx)
  })
