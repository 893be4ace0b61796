import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { withoutIndexes } from './fill/large-fill.ts'

/** Adds twelve invented schools to every city, over 6,000 rows. */
export async function seedDemoSchools(db: Db): Promise<void> {
  await db.transaction().execute((tx) =>
    withoutIndexes(tx, ['schools'], () =>
      sql`
    INSERT INTO schools (npsn, name, school_type_id, status, city_id, verified)
    SELECT 'C' || lpad(((row_number() OVER (ORDER BY c.code, n)))::text, 7, '0'),
      t.code || CASE WHEN n % 2 = 0 THEN ' Negeri ' ELSE ' Swasta ' END || 'Contoh ' || n || ' ' || c.name,
      t.id, CASE WHEN n % 2 = 0 THEN 'negeri' ELSE 'swasta' END, c.id, true
    FROM cities c CROSS JOIN generate_series(1, 12) n
    JOIN LATERAL (
      SELECT id, code FROM school_types WHERE code IN ('SMA', 'SMK', 'MA') ORDER BY code
      OFFSET n % (SELECT count(*) FROM school_types WHERE code IN ('SMA', 'SMK', 'MA')) LIMIT 1
    ) t ON true
    WHERE NOT EXISTS (SELECT 1 FROM schools WHERE npsn = 'C0000001')`.execute(tx),
    ),
  )
}
