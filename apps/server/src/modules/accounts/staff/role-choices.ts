import { applicantRole } from '#domain/access/applicant-role.ts'
import type { Language } from '#entities/define/language.ts'
import { refusalText } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Reach } from '#server/platform/access/compare-reach.ts'
import { findRoles, ownReach, type RoleWithReach, seesLimit } from '#server/platform/access/reach.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'

/** Names of a role's faculties and programmes; those outside the reader's rows are only counted. */
export function limitsOf({ limits }: RoleWithReach, reach: Reach, language: Language): string[] {
  const visibleNames = limits.filter((limit) => seesLimit(reach.rows, limit)).map(({ name }) => name)
  const hiddenCount = limits.length - visibleNames.length
  return hiddenCount > 0
    ? [...visibleNames, sentences(language)('staff-accounts:otherProgrammes', { count: hiddenCount })]
    : visibleNames
}

export async function listRoleChoices(db: Db, actor: Actor, language: Language) {
  const t = sentences(language)
  const roles = await findRoles(db)
  const reach = ownReach(roles, actor)
  return roles.map((role) => ({
    id: role.id,
    name: role.name,
    applicant: role.name === applicantRole,
    active: role.active,
    requireTotp: role.requireTotp,
    limits: limitsOf(role, reach, language),
    refusal: role.active ? refusalText(role.reach, reach, language) : t('errors:account_already_inactive'),
  }))
}
