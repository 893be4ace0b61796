import { newPasswordProblem } from '#domain/accounts/fields.ts'
import { refuseInvalid } from '#server/modules/accounts/check-input.ts'
import { endLinks, linkRefused, takeLink } from '#server/modules/accounts/links.ts'
import {
  beginSession,
  type Device,
  findAccountWithRole,
  getAccountWithRole,
  selfActor,
} from '#server/modules/accounts/signed-in.ts'
import { hashPassword } from '#server/platform/access/authentication.ts'
import { hashToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Reads an invitation without using up its link; throws `link_invalid`, `link_used` or `link_expired`. */
export async function readInvitation(db: Db, token: string, now: Date) {
  const found = await db
    .selectFrom('oneTimeTokens')
    .innerJoin('accounts', 'accounts.id', 'oneTimeTokens.accountId')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select(['accounts.name', 'accounts.email', 'accounts.active', 'roles.name as role'])
    .select(['oneTimeTokens.usedAt', 'oneTimeTokens.expiresAt'])
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', '=', 'invitation')
    .executeTakeFirst()
  if (!found?.active) throw linkRefused('link_invalid')
  if (found.usedAt) throw linkRefused('link_used')
  if (found.expiresAt <= now) throw linkRefused('link_expired')
  const { name, email, role, expiresAt } = found
  return { name, email, role, expiresAt }
}

type Acceptance = { token: string; password: string; password_confirmation: string }

/** Sets the first password and signs in. Opening the link proves the mailbox, so the e-mail counts as verified. */
export async function acceptInvitation(services: Services, input: Acceptance, device: Device) {
  const passwordHash = await hashPassword(input.password)
  const now = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    const link = await takeLink(tx, ['invitation'], input.token, now)
    const account = await findAccountWithRole(tx, link.accountId)
    if (!account?.active || !account.roleActive || link.email.toLowerCase() !== account.email.toLowerCase())
      throw linkRefused('link_invalid')
    // Throwing here rolls back `takeLink`: the link stays usable.
    refuseInvalid({ password: newPasswordProblem(input.password, account.email) })
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ passwordHash, emailVerifiedAt: now, updatedAt: now })
      .where('id', '=', account.id)
      .where('passwordHash', 'is', null)
      .executeTakeFirst()
    // A reset link has set a password meanwhile, so the invitation is used up.
    if (numUpdatedRows === 0n) throw linkRefused('link_used')
    await endLinks(tx, account.id, ['verify-email', 'change-email', 'reset-password'], now)
    const row = await getAccountWithRole(tx, account.id)
    await recordAudit(tx, selfActor(row, device), { action: 'account.accept_invitation', on: { account: row.id } })
    return beginSession(tx, row, device, now)
  })
}
