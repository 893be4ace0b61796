import { type RawBuilder, sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'

/**
 * Accounts an actor may see, as a condition on the table under the name `a`: all of them, or for somebody limited to
 * some study programmes the staff limited to those and the applicants who registered there; always the own one. Staff
 * limited to a faculty are seen by those who see the whole faculty.
 */
export function visibleAccounts({ accountId, role, scope }: Actor): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`
  if (scope.kind === 'own') return sql<boolean>`a.id = ${accountId}`
  const programmes = sql`${scope.programmeIds}::uuid[]`
  return sql<boolean>`(a.id = ${accountId}
    OR a.role_id = ANY(ARRAY(SELECT s.role_id FROM role_scopes s JOIN roles o ON o.id = s.role_id
      WHERE o.name <> ${applicantRole} GROUP BY s.role_id
      HAVING bool_and(s.programme_id = ANY(${programmes}) IS TRUE
        OR s.faculty_id IN (SELECT w.faculty_id FROM role_scopes w WHERE w.role_id = ${role.id}) IS TRUE)))
    OR EXISTS (SELECT FROM registrations r WHERE r.account_id = a.id AND r.programme_id = ANY(${programmes})))`
}

export async function isVisible(db: Db, actor: Actor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(visibleAccounts(actor))
    .executeTakeFirst()
  return row !== undefined
}
