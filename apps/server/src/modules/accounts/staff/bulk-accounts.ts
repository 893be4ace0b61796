import type { AccountBulkAction } from '#domain/accounts/staff-endpoints.ts'
import { mustGet } from '#domain/must.ts'
import type { Language } from '#entities/define/language.ts'
import { refusalOf } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRoles, ownReach } from '#server/platform/access/reach.ts'
import { accountsVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { changeAccess } from './change-access.ts'
import { endSessions, setActive } from './change-account.ts'

/** Splits accounts into those the action may change and those it may not, with the reason. */
async function splitByPermission(
  db: Db,
  actor: Actor,
  action: AccountBulkAction,
  ids: readonly string[],
  language: Language,
) {
  const t = sentences(language)
  const allRoles = await findRoles(db)
  const reach = ownReach(allRoles, actor)
  const roles = new Map(allRoles.map((role) => [role.id, role]))
  const rows = await db
    .selectFrom('accounts as a')
    .select(['a.id', 'a.name', 'a.active', 'a.roleId'])
    .where('a.id', 'in', [...ids])
    .where(accountsVisibleTo(actor))
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  const reasonAgainst = (id: string) => {
    const row = found.get(id)
    if (!row) return t('errors:not_found')
    const role = mustGet(roles, row.roleId)
    if (id === actor.accountId) return t('errors:account_is_own')
    if (refusalOf(role.reach, reach)) return t('errors:account_beyond_own', { role: role.name })
    if (action === 'deactivate' && !row.active) return t('errors:account_already_inactive')
    if (action === 'reactivate' && row.active) return t('errors:account_already_active')
    return undefined
  }
  const verdicts = [...new Set(ids)]
    .sort()
    .map((id) => ({ id, title: found.get(id)?.name ?? id, reason: reasonAgainst(id) }))
  return {
    allowed: verdicts.filter(({ reason }) => !reason).map(({ id, title }) => ({ id, title })),
    refused: verdicts.flatMap(({ reason, ...row }) => (reason ? [{ ...row, reason }] : [])),
  }
}

export const previewBulk = splitByPermission

/**
 * Applies the action to every allowed account in one transaction, in id order so that two runs cannot deadlock. Returns
 * the refusals.
 */
export const runBulk = (
  services: Services,
  actor: Actor,
  action: AccountBulkAction,
  ids: readonly string[],
  language: Language,
) =>
  changeAccess(services, actor, 'settings-accounts-update', async (context) => {
    const split = await splitByPermission(context.tx, context.actor, action, ids, language)
    for (const { id } of split.allowed) {
      if (action === 'end-sessions') await endSessions(context, id)
      else await setActive(context, id, action === 'reactivate')
    }
    return split
  })
