import { type RawBuilder, sql } from 'kysely'
import { isWithinScope } from '#server/platform/administrators.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { findRoles } from './role-choices.ts'

/**
 * Accounts an actor may see, as a condition on the table under the name `a`: all of them, or for somebody limited to
 * some study programmes the staff limited to those and the applicants who registered there; always the own one.
 */
export async function visibleAccounts(db: Db, { accountId, scope, ...actor }: Actor): Promise<RawBuilder<boolean>> {
  if (scope.kind === 'all') return sql<boolean>`true`
  if (scope.kind === 'own') return sql<boolean>`a.id = ${accountId}`
  const within = (await findRoles(db)).filter(({ programmes }) =>
    isWithinScope({ ...actor, accountId, scope }, programmes),
  )
  return sql<boolean>`(a.id = ${accountId} OR a.role_id = ANY(${within.map(({ id }) => id)}::uuid[]) OR a.id IN (
    SELECT r.account_id FROM registrations r WHERE r.programme_id = ANY(${scope.programmeIds}::uuid[])))`
}

export async function isVisible(db: Db, actor: Actor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(await visibleAccounts(db, actor))
    .executeTakeFirst()
  return row !== undefined
}
