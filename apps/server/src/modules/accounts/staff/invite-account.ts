import { sql } from 'kysely'
import type { z } from 'zod'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { inviteAccount as inviteCall } from '#domain/accounts/staff-endpoints.ts'
import { mailLink, waitBeforeNext } from '#server/modules/accounts/links.ts'
import { type Giver, refusalOf } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { findRole } from '#server/platform/access/reach.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { lockAccount } from './account-detail.ts'
import { changeAccess } from './change-access.ts'
import { isInvited } from './find-accounts.ts'
import { isVisible } from './visible-accounts.ts'

/** Returns the role if the giver may assign it; throws 422 otherwise. */
export async function findGrantableRole(tx: Tx, giver: Giver, roleId: string) {
  const role = await findRole(tx, roleId)
  if (!role?.active) throw invalid({ roleId: 'not_found' })
  const refusal = refusalOf(role.reach, giver.reach)
  if (refusal) throw invalid({ roleId: refusal })
  return role
}

const permission = 'settings-accounts-create'

/** Opens an account without a password and mails the link that sets it. */
export async function inviteAccount(services: Services, actor: Actor, input: z.output<typeof inviteCall.body>) {
  const email = input.email.trim()
  return changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    const role = await findGrantableRole(tx, giver, input.roleId)
    if (role.name === applicantRole) throw invalid({ roleId: 'role_is_for_applicants' })
    const inserted = await tx
      .insertInto('accounts')
      .values({
        name: input.name.replace(/\s+/g, ' '),
        email,
        roleId: role.id,
        language: input.language,
        invitedAt: now,
        invitedBy: actor.accountId,
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflicting) => conflicting.column('emailLower').doNothing())
      .returning(['id', 'name', 'email', 'language'])
      .executeTakeFirst()
    if (!inserted) throw await emailTakenError(tx, giver, email)
    await mailLink(context, 'invitation', inserted, { role: role.name })
    await recordAudit(tx, giver, {
      action: 'account.invite',
      on: { account: inserted.id },
      after: { name: inserted.name, email, role: role.name },
    })
    return inserted.id
  })
}

/** Builds the 422 that names the account with this address; hides the account if the giver cannot see it. */
async function emailTakenError(tx: Tx, giver: Giver, email: string) {
  const { id, name, role } = await tx
    .selectFrom('accounts')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select(['accounts.id', 'accounts.name', 'roles.name as role'])
    .where('emailLower', '=', email.toLowerCase())
    .executeTakeFirstOrThrow()
  const isShown = await isVisible(tx, giver, id)
  return invalid({ email: isShown ? { code: 'account_is', params: { name, role } } : 'already_exists' })
}

async function lockInvited(tx: Tx, giver: Giver, id: string) {
  const account = await lockAccount(tx, giver, id)
  const invited = await tx
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(isInvited)
    .executeTakeFirst()
  if (!invited || !account.active) throw conflict('account_not_invited')
  return account
}

export const resendInvitation = (services: Services, actor: Actor, id: string) =>
  changeAccess(services, actor, permission, async (context) => {
    const { tx, actor: giver, now } = context
    const account = await lockInvited(tx, giver, id)
    const seconds = await waitBeforeNext(tx, id, ['invitation'], now)
    if (seconds > 0) throw new AppError(429, 'resend_too_early', { seconds })
    await mailLink(context, 'invitation', account, { role: account.role.name })
    await recordAudit(tx, giver, {
      action: 'account.invite_again',
      on: { account: id },
      after: { email: account.email },
    })
  })

/** Deletes an account that was never used, so that the address can be invited again. */
export const withdrawInvitation = (services: Services, actor: Actor, id: string) =>
  changeAccess(services, actor, permission, async ({ tx, actor: giver }) => {
    const { name, email, role } = await lockInvited(tx, giver, id)
    await sql`DELETE FROM accounts WHERE id = ${id}`.execute(tx)
    await recordAudit(tx, giver, {
      action: 'account.invite_withdraw',
      on: { account: id },
      before: { name, email, role: role.name },
    })
    return { id }
  })
