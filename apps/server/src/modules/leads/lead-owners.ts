import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Active staff who may change leads and whose role sees the whole university. */
export async function findOwners(db: Db) {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT a.id, a.name FROM accounts a JOIN role_permissions p ON p.role_id = a.role_id AND p.permission = 'marketing-prospek-update'
    WHERE a.active AND NOT EXISTS (SELECT FROM role_scopes s WHERE s.role_id = a.role_id) ORDER BY lower(a.name), a.id LIMIT 500`.execute(
    db,
  )
  return rows
}
