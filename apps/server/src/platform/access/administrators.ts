import { sql } from 'kysely'
import { permissionNames } from '#domain/access/permissions.ts'
import type { Language, Localized } from '#entities/define/language.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, forbidden, unauthenticated } from '#server/platform/errors.ts'
import { sentences } from '#server/platform/text.ts'
import type { Actor } from './authorization.ts'
import { excessOf, type Reach } from './compare-reach.ts'
import { findRole, scopeOf } from './reach.ts'

/** Permissions that are enough to repair any mistake in roles and accounts. */
const administratorNeeds = ['settings-roles-permissions', 'settings-accounts-update']
/** Arbitrary key of the advisory lock that serialises all changes to roles and their holders. */
export const administratorLock = 7_262_010

/** Waits for other changes to roles and their holders, and blocks them until the transaction ends. */
export const waitForTurn = (tx: Db) => sql`SELECT pg_advisory_xact_lock(${administratorLock})`.execute(tx)

/** Condition on a role `r` of administrators: it is active, has no limits and holds `administratorNeeds`. */
export const canRepair = sql<boolean>`r.active
  AND NOT EXISTS (SELECT FROM role_scopes s WHERE s.role_id = r.id)
  AND (SELECT count(*) FROM role_permissions p WHERE p.role_id = r.id AND p.permission = ANY(${administratorNeeds}))
    = ${administratorNeeds.length}::int`

/** Ids of the administrators: active accounts with a password whose role is active, has no limits and holds `administratorNeeds`. */
export async function findAdministrators(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT a.id FROM accounts a JOIN roles r ON r.id = a.role_id
    WHERE a.active AND a.password_hash IS NOT NULL AND ${canRepair}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The administrators' role, or the one with the most permissions if there are several. Undefined if no remaining role
 * can repair others.
 */
export async function findAdministratorRole(db: Db): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT r.id, r.name FROM roles r WHERE ${canRepair}
    ORDER BY (SELECT count(*) FROM role_permissions p WHERE p.role_id = r.id) DESC, r.created_at, r.id
    LIMIT 1`.execute(db)
  return rows[0]
}

/**
 * Throws 409 `last_administrator` if no administrator would remain. Call after the change, in its transaction. If two
 * administrators revoke each other's rights at once, the lock makes the second wait and then get 409.
 */
export async function keepAnAdministrator(tx: Db) {
  await waitForTurn(tx)
  if ((await findAdministrators(tx)).length === 0) throw conflict('last_administrator')
}

/** An actor who gives or takes access, with the reach that bounds it. */
export type Giver = Actor & { reach: Reach }

/**
 * Waits for other access changes, then reads the actor's reach again: a request that passed the hook before its role
 * was narrowed must not grant permissions the role has lost. Throws 401 if the account or its role is inactive, 403 if
 * the role lost `permission`.
 */
export async function lockGiver(tx: Tx, actor: Actor, permission: string): Promise<Giver> {
  await waitForTurn(tx)
  const account = await tx
    .selectFrom('accounts')
    .select('roleId')
    .where('id', '=', actor.accountId)
    .where('active', '=', true)
    .executeTakeFirst()
  const role = account && (await findRole(tx, account.roleId))
  if (!role?.active) throw unauthenticated()
  const { id, name, reach } = role
  if (!reach.permissions.has(permission)) throw forbidden(permission)
  return { ...actor, role: { id, name }, permissions: reach.permissions, scope: scopeOf(reach.rows), reach }
}

/** The first five names, then the total if there are more. */
const joinNames = (names: readonly string[]) =>
  `${names.slice(0, 5).join('; ')}${names.length > 5 ? ` … (${names.length})` : ''}`

type Refusal = {
  code: 'grant_beyond_own' | 'scope_too_wide' | 'sums_beyond_own'
  params?: { permissions: Localized }
}

/** Field error that says why the actor may not give this reach; null if the actor's own reach covers it. */
export function refusalOf(requestedReach: Reach, actorReach: Reach): Refusal | null {
  const excess = excessOf(requestedReach, actorReach)
  if (!excess) return null
  if (excess.permissions.length > 0) {
    const names = excess.permissions.map(
      (slug) => permissionNames.get(slug) ?? requestedReach.customNames?.get(slug) ?? { en: slug, id: slug },
    )
    const inBoth = { en: joinNames(names.map(({ en }) => en)), id: joinNames(names.map(({ id }) => id)) }
    return { code: 'grant_beyond_own', params: { permissions: inBoth } }
  }
  return { code: excess.rows ? 'scope_too_wide' : 'sums_beyond_own' }
}

/** `refusalOf` as a sentence. */
export function refusalText(requestedReach: Reach, actorReach: Reach, language: Language): string | null {
  const refusal = refusalOf(requestedReach, actorReach)
  return refusal && sentences(language)(`errors:${refusal.code}`, refusal.params ?? {})
}
