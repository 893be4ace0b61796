import { type AccountDetail, invitationHours } from '#domain/accounts/staff-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { countRecoveryCodes } from '#server/modules/accounts/totp/totp.ts'
import { type Giver, refusalOf, refusalText } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRoles, getRoleWithReach, ownReach } from '#server/platform/access/reach.ts'
import { accountsVisibleTo } from '#server/platform/access/row-scope.ts'
import { seeAsPermission } from '#server/platform/access/session-cache.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import { sentences } from '#server/platform/text.ts'
import { accountColumns, makeRowBuilder } from './find-accounts.ts'
import { limitsOf } from './role-choices.ts'
import { isVisible } from './visible-accounts.ts'

/** An account for its detail page; `refusals` says why an action is not allowed. */
export async function getAccountDetail(
  db: Db,
  actor: Actor,
  id: string,
  language: Language,
  now: Date,
): Promise<AccountDetail> {
  const row = await db
    .selectFrom('accounts as a')
    .leftJoin('accounts as inviter', 'inviter.id', 'a.invitedBy')
    .select(accountColumns)
    .select(['a.language', 'a.version', 'a.updatedAt', 'a.passwordHash', 'a.totpEnabledAt', 'a.invitedAt'])
    .select('inviter.name as inviterName')
    .where('a.id', '=', id)
    .where(accountsVisibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('account')
  const [toRow, roles, recoveryCodesLeft, googleIdentity, invitation, openSessions] = await Promise.all([
    makeRowBuilder(db, actor, now),
    findRoles(db),
    countRecoveryCodes(db, id),
    db.selectFrom('accountIdentities').select('subject').where('accountId', '=', id).executeTakeFirst(),
    findInvitation(db, id),
    countSessions(db, id, now),
  ])
  const role = roles.find((candidate) => candidate.id === row.roleId)!
  const isOwn = id === actor.accountId
  const reach = ownReach(roles, actor)
  const listRow = toRow(row)
  return {
    ...listRow,
    language: row.language,
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
    hasPassword: row.passwordHash !== null,
    googleLinked: googleIdentity !== undefined,
    requireTotp: row.requireTotp,
    role: { id: role.id, name: role.name, requireTotp: role.requireTotp, limits: limitsOf(role, reach, language) },
    totp: { since: row.totpEnabledAt?.toISOString() ?? null, recoveryCodesLeft },
    invitation:
      row.invited && row.invitedAt
        ? {
            sentAt: (invitation?.createdAt ?? row.invitedAt).toISOString(),
            expiresAt: (
              invitation?.expiresAt ?? new Date(row.invitedAt.getTime() + invitationHours * 3_600_000)
            ).toISOString(),
            by: row.inviterName,
          }
        : null,
    openSessions,
    refusals: refusalsOf({ isOwn, shown: listRow, beyond: refusalText(role.reach, reach, language), actor, language }),
  }
}

type RefusalFacts = {
  isOwn: boolean
  shown: { name: string; active: boolean; twoFactor: 'on' | 'missing' | 'off'; role: { name: string } }
  beyond: string | null
  actor: Actor
  language: Language
}

function refusalsOf({
  isOwn,
  shown: listRow,
  beyond: refusal,
  actor,
  language,
}: RefusalFacts): AccountDetail['refusals'] {
  const t = sentences(language)
  const beyondOwn = refusal && t('errors:account_beyond_own', { role: listRow.role.name })
  const missing = listRow.twoFactor === 'missing' && t('errors:seen_as_totp_missing', { name: listRow.name })
  return {
    change: beyondOwn,
    standing: beyondOwn ?? (isOwn ? t('errors:account_is_own') : null),
    seeAs: !actor.permissions.has(seeAsPermission)
      ? t('errors:forbidden')
      : isOwn
        ? t('errors:seen_as_self')
        : (beyondOwn ?? (listRow.active ? missing || null : t('errors:account_inactive'))),
  }
}

export const findInvitation = (db: Db, accountId: string) =>
  db
    .selectFrom('oneTimeTokens')
    .select(['createdAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .where('purpose', '=', 'invitation')
    .where('usedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function countSessions(db: Db, accountId: string, now: Date): Promise<number> {
  const { open: sessionCount } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('accountId', '=', accountId)
    .where('parentId', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return sessionCount
}

/**
 * Locks the account. 404 if the giver cannot see it, 403 if its role exceeds the giver's, 409 if `version` is stale.
 */
export async function lockAccount(tx: Tx, giver: Giver, id: string, version?: number) {
  const row = (await isVisible(tx, giver, id))
    ? await tx.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined
  if (!row) throw notFound('account')
  const role = await getRoleWithReach(tx, row.roleId)
  if (refusalOf(role.reach, giver.reach)) throw new AppError(403, 'account_beyond_own', { role: role.name })
  if (version !== undefined && row.version !== version) throw conflict('stale_version')
  return { ...row, role }
}
