import { sql } from 'kysely'
import { studentRole } from '#domain/access/roles.ts'
import type { Locale } from '#locales/index.ts'
import { isWithinScope } from '#server/platform/administrators.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { sentences } from '#server/platform/text.ts'

type RoleRow = {
  id: string
  name: string
  active: boolean
  requireTotp: boolean
  permissions: string[]
  /** The faculties and study programmes it is limited to. */
  limits: { name: string; programmes: string[] }[]
  /** Those study programmes; null: all. */
  programmes: string[] | null
}

/** All roles with what they hold: they are few, and the list of accounts joins them here instead of row by row. */
export async function findRoles(db: Db): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    SELECT r.id, r.name, r.active, r.require_totp,
      ARRAY(SELECT p.permission FROM role_permissions p WHERE p.role_id = r.id ORDER BY 1) AS permissions,
      ARRAY(SELECT jsonb_build_object('name', coalesce(f.name, p.name), 'programmes', ARRAY(SELECT o.id FROM
          study_programmes o WHERE o.id = s.programme_id OR o.faculty_id = s.faculty_id))
        FROM role_scopes s LEFT JOIN faculties f ON f.id = s.faculty_id
        LEFT JOIN study_programmes p ON p.id = s.programme_id WHERE s.role_id = r.id
        ORDER BY coalesce(f.name, p.name)) AS limits,
      CASE WHEN EXISTS (SELECT FROM role_scopes s WHERE s.role_id = r.id) THEN
        ARRAY(SELECT p.id::text FROM study_programmes p JOIN role_scopes s
          ON s.programme_id = p.id OR s.faculty_id = p.faculty_id WHERE s.role_id = r.id) END AS programmes
    FROM roles r ORDER BY lower(r.name)`.execute(db)
  return rows
}

/** What keeps the actor from giving a role, or from acting on those who hold it, in words. */
export function refusalOf(role: RoleRow, actor: Actor, language: Locale): string | null {
  const t = sentences(language)
  const beyond = role.permissions.filter((slug) => !actor.permissions.has(slug))
  if (beyond.length > 0) {
    const permissions = `${beyond.slice(0, 5).join(', ')}${beyond.length > 5 ? ` … (${beyond.length})` : ''}`
    return t('errors:grant_beyond_own', { permissions })
  }
  return isWithinScope(actor, role.programmes) ? null : t('errors:scope_too_wide')
}

/** Names of what a role is limited to; what the actor does not see is told without its name. */
export function limitsOf(role: RoleRow, actor: Actor, language: Locale): string[] {
  const seen = role.limits.filter(({ programmes }) => isWithinScope(actor, programmes)).map(({ name }) => name)
  const hidden = role.limits.length - seen.length
  return hidden > 0 ? [...seen, sentences(language)('staff-accounts:otherProgrammes', { count: hidden })] : seen
}

export async function listRoleChoices(db: Db, actor: Actor, language: Locale) {
  const t = sentences(language)
  return (await findRoles(db)).map((role) => ({
    id: role.id,
    name: role.name,
    applicant: role.name === studentRole,
    active: role.active,
    requireTotp: role.requireTotp,
    limits: limitsOf(role, actor, language),
    refusal: role.active ? refusalOf(role, actor, language) : t('errors:account_already_inactive'),
  }))
}
