import type { AccountBulkAction } from '#domain/accounts/staff-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { refusalOf } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRoles, ownReach } from '#server/platform/access/reach.ts'
import { accountsVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { changeAccess } from './change-access.ts'
import { endSessions, setStanding } from './change-account.ts'

/** Which accounts an action would change, and why not the others. */
async function sortOut(db: Db, actor: Actor, action: AccountBulkAction, ids: readonly string[], language: Language) {
  const t = sentences(language)
  const all = await findRoles(db)
  const own = ownReach(all, actor)
  const roles = new Map(all.map((role) => [role.id, role]))
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
    const role = roles.get(row.roleId)!
    if (id === actor.accountId) return t('errors:account_is_own')
    if (refusalOf(role.reach, own)) return t('errors:account_beyond_own', { role: role.name })
    if (action === 'deactivate' && !row.active) return t('errors:account_already_inactive')
    if (action === 'reactivate' && row.active) return t('errors:account_already_active')
    return undefined
  }
  const judged = [...new Set(ids)]
    .sort()
    .map((id) => ({ id, title: found.get(id)?.name ?? id, reason: reasonAgainst(id) }))
  return {
    allowed: judged.filter(({ reason }) => !reason).map(({ id, title }) => ({ id, title })),
    refused: judged.flatMap(({ reason, ...row }) => (reason ? [{ ...row, reason }] : [])),
  }
}

export const previewBulk = sortOut

/** Does it to all that can be done, in one transaction and in the order of their ids; says why not to the others. */
export const runBulk = (
  services: Services,
  actor: Actor,
  action: AccountBulkAction,
  ids: readonly string[],
  language: Language,
) =>
  changeAccess(services, actor, 'settings-accounts-update', async (tx, giver) => {
    const sorted = await sortOut(tx, giver, action, ids, language)
    for (const { id } of sorted.allowed) {
      if (action === 'end-sessions') await endSessions(tx, services, giver, id)
      else await setStanding(tx, services, giver, id, action === 'reactivate')
    }
    return sorted
  })
