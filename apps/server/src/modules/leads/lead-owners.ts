import { sql } from 'kysely'
import { findRolesHolding } from '#server/platform/access/reach.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Active staff who may change leads and whose role sees the whole university. */
export async function findOwners(db: Db) {
  const roleIds = await findRolesHolding(db, 'marketing-prospek-update')
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT a.id, a.name FROM accounts a
    WHERE a.active AND a.role_id = ANY(${roleIds}::uuid[]) AND NOT EXISTS (SELECT FROM role_scopes s WHERE s.role_id = a.role_id) ORDER BY lower(a.name), a.id LIMIT 500`.execute(
    db,
  )
  return rows
}
