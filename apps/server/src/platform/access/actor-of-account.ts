import type { Db } from '#server/platform/database/database.ts'
import type { Actor } from './authorization.ts'
import { findRole, scopeOf } from './reach.ts'
import { mustSetUpTotp } from './session-rows.ts'

/**
 * The actor this account would be if it signed in now: current role, permissions and row scope. Undefined if the
 * account or role is inactive, the address is unconfirmed, or two-factor sign-in must be set up first.
 */
export async function findActorOf(db: Db, accountId: string, at: Date): Promise<Actor | undefined> {
  const row = await db
    .selectFrom('accounts as a')
    .innerJoin('roles as r', 'r.id', 'a.roleId')
    .select(['a.name', 'a.email', 'a.language', 'r.id as roleId', 'r.name as roleName', 'a.totpSecret'])
    .select(['a.requireTotp as accountRequiresTotp', 'r.requireTotp as roleRequiresTotp'])
    .where('a.id', '=', accountId)
    .where('a.active', '=', true)
    .where('r.active', '=', true)
    .where('a.emailVerifiedAt', 'is not', null)
    .executeTakeFirst()
  const role = row && !mustSetUpTotp(row) ? await findRole(db, row.roleId) : undefined
  if (!row || !role) return undefined
  return {
    accountId,
    sessionId: '',
    name: row.name,
    email: row.email,
    emailVerified: true,
    language: row.language,
    role: { id: role.id, name: role.name },
    permissions: role.reach.permissions,
    scope: scopeOf(role.reach.rows),
    at,
  }
}
