import { sql } from 'kysely'
import { anyScope } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import type { Db } from '#server/platform/database/database.ts'

const maxGaps = 500

/**
 * Ranges of running numbers that a counter has passed without issuing them, at most 500. `restored`: numbers were
 * skipped after restoring a backup.
 */
export async function numberGaps(db: Db) {
  const { rows } = await sql<{ scope: string; first: number; last: number; restored: boolean }>`
    WITH issued AS (SELECT number_scope AS scope, number_value AS value FROM every_student_number WHERE number_scope IS NOT NULL
        UNION ALL SELECT scope, value + 1 FROM number_counters WHERE kind = 'student'),
      neighbours AS (SELECT scope, value, coalesce(lag(value) OVER (PARTITION BY scope ORDER BY value), 0) AS before FROM issued)
    SELECT n.scope, n.before + 1 AS first, n.value - 1 AS last,
      EXISTS (SELECT FROM number_gaps g WHERE g.kind = 'student' AND g.scope IN (n.scope, ${anyScope})) AS restored
    FROM neighbours n WHERE n.value > n.before + 1
    ORDER BY n.scope, n.value LIMIT ${maxGaps}`.execute(db)
  return rows
}
