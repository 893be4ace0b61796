import { sql } from 'kysely'
import type { Actor } from './authorization.ts'
import type { Db } from './database.ts'
import { conflict } from './errors.ts'

/** What somebody needs to hold to undo whatever went wrong with access. */
const administratorNeeds = ['settings-roles-permissions', 'settings-accounts-update']
/** Any number: changes that may take an administrator away wait for each other here. */
export const administratorLock = 7_262_010

/**
 * Refuses (409 `last_administrator`) a transaction after which no active account could set access right again: one of an
 * active role without limits that holds the permissions for it. Called after the change, in its transaction; two who
 * take each other's rights away at the same moment wait for each other here, and the second is refused.
 */
export async function keepAnAdministrator(tx: Db) {
  await sql`SELECT pg_advisory_xact_lock(${administratorLock})`.execute(tx)
  const { rows } = await sql`
    SELECT 1 FROM accounts a JOIN roles r ON r.id = a.role_id
    WHERE a.active AND r.active AND a.password_hash IS NOT NULL
      AND NOT EXISTS (SELECT FROM role_scopes s WHERE s.role_id = r.id)
      AND (SELECT count(*) FROM role_permissions p WHERE p.role_id = r.id AND p.permission = ANY(${administratorNeeds}))
        = ${administratorNeeds.length}::int
    LIMIT 1`.execute(tx)
  if (rows.length === 0) throw conflict('last_administrator')
}

/** Permissions of a role that the actor does not hold: a role with any of them is not the actor's to give. */
export async function beyondActor(db: Db, actor: Actor, roleId: string): Promise<string[]> {
  const held = await db.selectFrom('rolePermissions').select('permission').where('roleId', '=', roleId).execute()
  return held.map(({ permission }) => permission).filter((slug) => !actor.permissions.has(slug))
}

/** Study programmes a role is limited to; null when it is not limited. */
export async function programmesOf(db: Db, roleId: string): Promise<string[] | null> {
  const { rows } = await sql<{ limited: boolean; programmes: string[] }>`
    SELECT EXISTS (SELECT FROM role_scopes WHERE role_id = ${roleId}) AS limited,
      ARRAY(SELECT p.id::text FROM study_programmes p JOIN role_scopes s
        ON s.programme_id = p.id OR s.faculty_id = p.faculty_id WHERE s.role_id = ${roleId}) AS programmes`.execute(db)
  return rows[0]!.limited ? rows[0]!.programmes : null
}

/** Whether rows limited to these study programmes (null: all rows) are rows the actor sees. */
export function isWithinScope({ scope }: Actor, programmes: readonly string[] | null): boolean {
  if (scope.kind === 'all') return true
  if (scope.kind === 'own' || programmes === null) return false
  return programmes.every((id) => scope.programmeIds.includes(id))
}
