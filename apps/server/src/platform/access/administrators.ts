import { sql } from 'kysely'
import { permissionNames } from '#domain/access/permissions.ts'
import { excessOf, type Reach } from '#domain/access/reach.ts'
import type { Localized } from '#entities/define/field.ts'
import type { Locale } from '#locales/index.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, forbidden, unauthenticated } from '#server/platform/errors.ts'
import { sentences } from '#server/platform/text.ts'
import type { Actor } from './authorization.ts'
import { findRole, scopeOf } from './reach.ts'

/** What somebody needs to hold to undo whatever went wrong with access. */
const administratorNeeds = ['settings-roles-permissions', 'settings-accounts-update']
/** Any number: all changes of roles and of who holds them wait for each other here. */
export const administratorLock = 7_262_010

const waitForTurn = (tx: Db) => sql`SELECT pg_advisory_xact_lock(${administratorLock})`.execute(tx)

/**
 * Refuses (409 `last_administrator`) a transaction after which no active account could set access right again: one of an
 * active role without limits that holds the permissions for it. Called after the change, in its transaction; two who
 * take each other's rights away at the same moment wait for each other here, and the second is refused.
 */
export async function keepAnAdministrator(tx: Db) {
  await waitForTurn(tx)
  const { rows } = await sql`
    SELECT 1 FROM accounts a JOIN roles r ON r.id = a.role_id
    WHERE a.active AND r.active AND a.password_hash IS NOT NULL
      AND NOT EXISTS (SELECT FROM role_scopes s WHERE s.role_id = r.id)
      AND (SELECT count(*) FROM role_permissions p WHERE p.role_id = r.id AND p.permission = ANY(${administratorNeeds}))
        = ${administratorNeeds.length}::int
    LIMIT 1`.execute(tx)
  if (rows.length === 0) throw conflict('last_administrator')
}

/** Somebody about to give or take access, with the reach that bounds it. */
export type Giver = Actor & { reach: Reach }

/**
 * Waits for other changes of access, then reads what the actor may do now: a request let through before its sender's
 * role was narrowed gives nothing that was taken from the sender meanwhile. 401 when the account or its role was put
 * aside, 403 when the role lost `permission`.
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

/** Some names of many, so that a sentence stays one. */
const listed = (names: readonly string[]) =>
  `${names.slice(0, 5).join('; ')}${names.length > 5 ? ` … (${names.length})` : ''}`

type Refusal = {
  code: 'grant_beyond_own' | 'scope_too_wide' | 'sums_beyond_own'
  params?: { permissions: Localized }
}

/** Why a reach is not covered by the own one, as said beside a field; null when it is. */
export function refusalOf(wanted: Reach, own: Reach): Refusal | null {
  const excess = excessOf(wanted, own)
  if (!excess) return null
  if (excess.permissions.length > 0) {
    const names = excess.permissions.map(
      (slug) => permissionNames.get(slug) ?? wanted.customNames?.get(slug) ?? { en: slug, id: slug },
    )
    const inBoth = { en: listed(names.map(({ en }) => en)), id: listed(names.map(({ id }) => id)) }
    return { code: 'grant_beyond_own', params: { permissions: inBoth } }
  }
  return { code: excess.rows ? 'scope_too_wide' : 'sums_beyond_own' }
}

/** The refusal of `refusalOf` as a sentence; null when the own reach covers the other. */
export function refusalText(wanted: Reach, own: Reach, language: Locale): string | null {
  const refusal = refusalOf(wanted, own)
  return refusal && sentences(language)(`errors:${refusal.code}`, refusal.params ?? {})
}
