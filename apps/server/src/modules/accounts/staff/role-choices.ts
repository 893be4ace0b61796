import { applicantRole } from '#domain/access/applicant-role.ts'
import type { Reach } from '#domain/access/reach.ts'
import type { Language } from '#entities/define/language.ts'
import { refusalText } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRoles, ownReach, type RoleWithReach, seesLimit } from '#server/platform/access/reach.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'

/** Names of what a role is limited to; faculties and study programmes outside the reader's rows are only counted. */
export function limitsOf({ limits }: RoleWithReach, own: Reach, language: Language): string[] {
  const seen = limits.filter((limit) => seesLimit(own.rows, limit)).map(({ name }) => name)
  const hidden = limits.length - seen.length
  return hidden > 0 ? [...seen, sentences(language)('staff-accounts:otherProgrammes', { count: hidden })] : seen
}

export async function listRoleChoices(db: Db, actor: Actor, language: Language) {
  const t = sentences(language)
  const roles = await findRoles(db)
  const own = ownReach(roles, actor)
  return roles.map((role) => ({
    id: role.id,
    name: role.name,
    applicant: role.name === applicantRole,
    active: role.active,
    requireTotp: role.requireTotp,
    limits: limitsOf(role, own, language),
    refusal: role.active ? refusalText(role.reach, own, language) : t('errors:account_already_inactive'),
  }))
}
