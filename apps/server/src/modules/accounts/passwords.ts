import { newPasswordProblem } from '#domain/accounts/fields.ts'
import type { Language } from '#entities/define/language.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { hashPassword, revokeAllSessions } from '#server/platform/access/authentication.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { refuseInvalid } from './check-input.ts'
import { endLinks, hasEnoughLinks, linkRefused, mailLink, takeLink, waitBeforeNext } from './links.ts'
import { findByPassword, forgetAttempts } from './sign-in.ts'
import { type Device, findAccountWithRole, getAccountWithRole, selfActor } from './signed-in.ts'

/** Sends a reset link if the address is known. The caller gives the same answer either way, without waiting. */
export const requestReset = (services: Services, email: string, device: Device) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const owner = await tx
      .selectFrom('accounts')
      .select('id')
      .where('emailLower', '=', email.trim().toLowerCase())
      .where('active', '=', true)
      .forUpdate()
      .executeTakeFirst()
    if (!owner) return
    const row = await getAccountWithRole(tx, owner.id)
    const now = services.clock.now()
    if ((await waitBeforeNext(tx, row.id, ['reset-password'], now)) > 0) return
    if (await hasEnoughLinks(tx, row.id, ['reset-password'], now)) return
    await mailLink(context, 'reset-password', row)
    await recordAudit(tx, selfActor(row, device), { action: 'account.request_reset', on: { account: row.id } })
  })

type Reset = { token: string; password: string; password_confirmation: string }

/**
 * Sets a new password and ends every session. Opening the link proves the mailbox, so the e-mail counts as verified.
 */
export async function resetPassword(services: Services, input: Reset, device: Device) {
  const passwordHash = await hashPassword(input.password)
  const now = services.clock.now()
  await inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const link = await takeLink(tx, ['reset-password'], input.token, now)
    const row = await findAccountWithRole(tx, link.accountId)
    if (!row?.active || link.email.toLowerCase() !== row.email.toLowerCase()) throw linkRefused('link_invalid')
    // Throwing here rolls back `takeLink`: the link stays usable.
    refuseInvalid({ password: newPasswordProblem(input.password, row.email) })
    await tx
      .updateTable('accounts')
      .set({ passwordHash, emailVerifiedAt: row.emailVerifiedAt ?? now, updatedAt: now })
      .where('id', '=', row.id)
      .execute()
    await revokeAllSessions(tx, row.id, undefined, now)
    await endLinks(tx, row.id, ['reset-password', 'change-email', 'verify-email'], now)
    await forgetAttempts(tx, row.email)
    await recordAudit(tx, selfActor(row, device), { action: 'account.reset_password', on: { account: row.id } })
    await notify(context, { accountId: row.id, event: 'password-changed', params: { name: row.name } })
  })
}

type Change = { currentPassword?: string | undefined; password: string; passwordConfirmation: string }

/**
 * Checks the current password before a sensitive change and returns the hash that it matched. Google-only accounts have
 * none and pass.
 */
export async function requirePassword(
  services: Services,
  actor: Actor,
  field: string,
  password: string | undefined,
  language: Language,
): Promise<string | null> {
  const { passwordHash } = await services.db
    .selectFrom('accounts')
    .select('passwordHash')
    .where('id', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  if (!passwordHash) return null
  if (!password) throw invalid({ [field]: 'field_required' })
  let matched: string | null
  try {
    // Counted like a sign-in: a borrowed session must not be a place to guess passwords at.
    ;({ passwordHash: matched } = await findByPassword(services, actor.email, password, language))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const blocked = error.code === 'sign_in_blocked'
    throw new AppError(blocked ? 429 : 422, blocked ? error.code : 'invalid_input', error.details, {
      [field]: blocked ? { code: 'sign_in_blocked', params: error.details } : 'password_wrong',
    })
  }
  await forgetAttempts(services.db, actor.email)
  return matched
}

export async function changePassword(services: Services, actor: Actor, input: Change, language: Language) {
  refuseInvalid({ password: newPasswordProblem(input.password, actor.email) })
  const matched = await requirePassword(services, actor, 'currentPassword', input.currentPassword, language)
  const passwordHash = await hashPassword(input.password)
  const now = services.clock.now()
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ passwordHash, updatedAt: now })
      .where('id', '=', actor.accountId)
      .where('passwordHash', 'is not distinct from', matched)
      .executeTakeFirst()
    // A reset meanwhile must not be undone by who knew the password before.
    if (numUpdatedRows === 0n) throw new AppError(422, 'invalid_input', {}, { currentPassword: 'password_wrong' })
    const endedSessions = await countOtherSessions(tx, actor, now)
    await revokeAllSessions(tx, actor.accountId, actor.sessionId, now)
    await endLinks(tx, actor.accountId, ['reset-password'], now)
    await recordAudit(tx, actor, { action: 'account.change_password', on: { account: actor.accountId } })
    await notify(context, { accountId: actor.accountId, event: 'password-changed', params: { name: actor.name } })
    return { endedSessions }
  })
}

export async function countOtherSessions(tx: Db, actor: Actor, now: Date): Promise<number> {
  const { others: sessionCount } = await tx
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('others'))
    .where('accountId', '=', actor.accountId)
    .where('id', '!=', actor.sessionId)
    .where('parentId', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return sessionCount
}
