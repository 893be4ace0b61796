import { sql } from 'kysely'
import type { z } from 'zod'
import type { updateAccount as updateCall } from '#domain/accounts/staff-endpoints.ts'
import { endLinks, mailLink, waitBeforeNext } from '#server/modules/accounts/links.ts'
import { forgetAttempts } from '#server/modules/accounts/sign-in.ts'
import { clearTotp } from '#server/modules/accounts/totp/totp.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { keepAnAdministrator } from '#server/platform/access/administrators.ts'
import { revokeAllSessions, revokeSession } from '#server/platform/access/authentication.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { countSessions, lockAccount } from './account-detail.ts'
import { type AccessContext, changeAccess } from './change-access.ts'
import { findGrantableRole } from './invite-account.ts'
import { isVisible } from './visible-accounts.ts'

const permission = 'settings-accounts-update'

/** Updates an account. Throws if the giver changes their own role or the last administrator loses the role. */
export const updateAccount = (
  services: Services,
  actor: Actor,
  id: string,
  { version, ...changes }: z.output<typeof updateCall.body>,
) =>
  changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    const { role, ...before } = await lockAccount(tx, giver, id, version)
    const newRole = changes.roleId === role.id ? role : await findGrantableRole(tx, giver, changes.roleId)
    if (newRole.id !== role.id && id === actor.accountId) throw invalid({ roleId: 'account_is_own' })
    const name = changes.name.replace(/\s+/g, ' ')
    const { language, requireTotp } = changes
    await tx
      .updateTable('accounts')
      .set({ name, language, requireTotp, roleId: newRole.id, updatedAt: now, version: sql`version + 1` })
      .where('id', '=', id)
      .execute()
    if (newRole.id !== role.id) await keepAnAdministrator(tx)
    await recordAudit(tx, giver, {
      action: 'account.update',
      on: { account: id },
      before: { name: before.name, role: role.name, language: before.language, requireTotp: before.requireTotp },
      after: { name, role: newRole.name, language, requireTotp },
    })
  })

/** Deactivates or reactivates an account; returns false if nothing changed. */
export async function setActive({ tx, actor: giver, now }: AccessContext, id: string, active: boolean) {
  const account = await lockAccount(tx, giver, id)
  if (id === giver.accountId) throw conflict('account_is_own')
  if (account.active === active) return false
  await tx
    .updateTable('accounts')
    .set({ active, updatedAt: now, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  if (!active) {
    await revokeAllSessions(tx, id, undefined, now)
    // An unused link would let the owner sign in again.
    await endLinks(tx, id, ['reset-password', 'invitation'], now)
    await keepAnAdministrator(tx)
  }
  const action = active ? 'account.reactivate' : 'account.deactivate'
  await recordAudit(tx, giver, { action, on: { account: id }, before: { active: !active }, after: { active } })
  return true
}

export const sendPasswordReset = (services: Services, actor: Actor, id: string) =>
  changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    const account = await lockAccount(tx, giver, id)
    if (!account.active) throw conflict('account_inactive')
    const seconds = await waitBeforeNext(tx, id, ['reset-password'], now)
    if (seconds > 0) throw new AppError(429, 'resend_too_early', { seconds })
    await mailLink(context, 'reset-password', account)
    await recordAudit(tx, giver, { action: 'account.send_reset', on: { account: id }, after: { email: account.email } })
  })

/** Ends the wait after failed sign-ins; does nothing if there is none. */
export const unlockAccount = (services: Services, actor: Actor, id: string) =>
  changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    const account = await lockAccount(tx, giver, id)
    await forgetAttempts(tx, account.email)
    if (account.lockedUntil && account.lockedUntil > now)
      await recordAudit(tx, giver, { action: 'account.unlock', on: { account: id } })
  })

/** Removes the second factor after the loss of a phone, ends every session and mails the reason to the owner. */
export const resetTotp = (services: Services, actor: Actor, id: string, reason: string) =>
  changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    const account = await lockAccount(tx, giver, id)
    // Owners turn their own off in their settings, with password and code.
    if (id === actor.accountId) throw conflict('account_is_own')
    if (!account.totpSecret) throw conflict('totp_not_on')
    await clearTotp(tx, id, now)
    await revokeAllSessions(tx, id, undefined, now)
    await recordAudit(tx, giver, { action: 'account.totp_reset', on: { account: id }, reason })
    const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`
    await notify(context, {
      accountId: id,
      event: 'account-totp-reset',
      params: { name: account.name, reason: sentence },
    })
  })

/** Lists an account's open sessions, without those of people seeing as this account. */
export async function listSessionsOf(db: Db, actor: Actor, id: string, now: Date) {
  if (!(await isVisible(db, actor, id))) throw notFound('account')
  return db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'ip', 'userAgent'])
    .where('accountId', '=', id)
    .where('parentId', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('lastSeenAt', 'desc')
    .limit(100)
    .execute()
}

export const endSessionOf = (services: Services, actor: Actor, id: string, sessionId: string) =>
  changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    await lockAccount(tx, giver, id)
    if (!(await revokeSession(tx, id, sessionId, now))) throw notFound('session')
    await recordAudit(tx, giver, { action: 'account.end_session', on: { account: id }, after: { sessionId } })
    return { ended: 1 }
  })

/** Ends all sessions of an account; for the giver's own account, all but the current one. */
export async function endSessions({ tx, actor: giver, now }: AccessContext, id: string) {
  await lockAccount(tx, giver, id)
  const isOwn = id === giver.accountId
  const ended = (await countSessions(tx, id, now)) - (isOwn ? 1 : 0)
  await revokeAllSessions(tx, id, isOwn ? giver.sessionId : undefined, now)
  if (ended > 0)
    await recordAudit(tx, giver, { action: 'account.end_all_sessions', on: { account: id }, after: { ended } })
  return { ended }
}
