import { newPasswordProblem } from '#domain/accounts/fields.ts'
import { checkInput } from '#server/modules/accounts/check-input.ts'
import { endLinks, linkRefused, takeLink } from '#server/modules/accounts/links.ts'
import { beginSession, type Device, findSignedInUser, selfActor } from '#server/modules/accounts/signed-in.ts'
import { hashPassword } from '#server/platform/access/authentication.ts'
import { hashToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Whom the link is for, without using it up; says what is the matter with a link that does not work. */
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

/** The invited chooses a password: the mailbox is proven with it, and the first session begins. */
export async function acceptInvitation(services: Services, input: Acceptance, device: Device) {
  const passwordHash = await hashPassword(input.password)
  const now = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    const link = await takeLink(tx, ['invitation'], input.token, now)
    const invited = await findSignedInUser(tx, link.accountId)
    if (!invited?.active || !invited.roleActive || link.email.toLowerCase() !== invited.email.toLowerCase())
      throw linkRefused('link_invalid')
    // The link stays good when only the password is refused: the whole transaction is undone.
    checkInput({ password: newPasswordProblem(input.password, invited.email) })
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ passwordHash, emailVerifiedAt: now, updatedAt: now })
      .where('id', '=', invited.id)
      .where('passwordHash', 'is', null)
      .executeTakeFirst()
    // Chosen meanwhile by a reset link: the invitation is over.
    if (numUpdatedRows === 0n) throw linkRefused('link_used')
    await endLinks(tx, invited.id, ['verify-email', 'change-email', 'reset-password'], now)
    const row = (await findSignedInUser(tx, invited.id))!
    await recordAudit(tx, selfActor(row, device), 'account.accept_invitation', { type: 'account', id: row.id })
    return beginSession(tx, row, device, now)
  })
}
