import { sql } from 'kysely'
import type { z } from 'zod'
import { studentRole } from '#domain/access/roles.ts'
import { emailProblem } from '#domain/accounts/fields.ts'
import type { inviteAccount as inviteCall } from '#domain/accounts/staff-endpoints.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import { AppError, conflict, type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { checkInput } from '../check-input.ts'
import { mailLink, waitBeforeNext } from '../links.ts'
import { lockAccount } from './account-detail.ts'
import { isInvited } from './find-accounts.ts'
import { findRoles, refusalOf } from './role-choices.ts'

const subject = (id: string) => ({ type: 'account', id })

/** The role if the actor may give it to staff; refused beside its field otherwise. */
export async function grantableRole(tx: Tx, actor: Actor, roleId: string, language: 'en' | 'id') {
  const role = (await findRoles(tx)).find(({ id }) => id === roleId)
  const refuse = (error: FieldErrors[string]) => invalid({ roleId: error })
  if (!role?.active) throw refuse('not_found')
  const beyond = role.permissions.filter((slug) => !actor.permissions.has(slug))
  const permissions = `${beyond.slice(0, 5).join(', ')}${beyond.length > 5 ? ` … (${beyond.length})` : ''}`
  if (beyond.length > 0) throw refuse({ code: 'grant_beyond_own', params: { permissions } })
  if (refusalOf(role, actor, language)) throw refuse('scope_too_wide')
  return role
}

/** Opens an account nobody can sign in to yet and mails the link that chooses its password. */
export async function inviteAccount(services: Services, actor: Actor, input: z.output<typeof inviteCall.body>) {
  const email = input.email.trim()
  checkInput({ email: emailProblem(email) })
  const now = services.clock.now()
  const made = await services.db.transaction().execute(async (tx) => {
    const role = await grantableRole(tx, actor, input.roleId, actor.language)
    if (role.name === studentRole) throw invalid({ roleId: 'role_is_for_applicants' })
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
    if (!inserted) return undefined
    await mailLink(tx, services, 'invitation', inserted, { role: role.name })
    await recordAudit(tx, actor, 'account.invite', subject(inserted.id), {
      after: { name: inserted.name, email, role: role.name },
    })
    return inserted.id
  })
  if (made) return made
  const { name, role } = await services.db
    .selectFrom('accounts')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select(['accounts.name', 'roles.name as role'])
    .where('emailLower', '=', email.toLowerCase())
    .executeTakeFirstOrThrow()
  throw invalid({ email: { code: 'account_is', params: { name, role } } })
}

async function openInvitation(tx: Tx, actor: Actor, id: string) {
  const account = await lockAccount(tx, actor, id)
  const open = await tx
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(isInvited)
    .executeTakeFirst()
  if (!open || !account.active) throw conflict('account_not_invited')
  return account
}

export const resendInvitation = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const account = await openInvitation(tx, actor, id)
    const seconds = await waitBeforeNext(tx, id, ['invitation'], services.clock.now())
    if (seconds > 0) throw new AppError(429, 'resend_too_early', { seconds })
    await mailLink(tx, services, 'invitation', account, { role: account.role.name })
    await recordAudit(tx, actor, 'account.invite_again', subject(id), { after: { email: account.email } })
  })

/** Nobody has come in yet, so nothing but the invitation goes: the address is free again. */
export const withdrawInvitation = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const { name, email, role } = await openInvitation(tx, actor, id)
    await sql`DELETE FROM accounts WHERE id = ${id}`.execute(tx)
    await recordAudit(tx, actor, 'account.invite_withdraw', subject(id), { before: { name, email, role: role.name } })
    return { id }
  })
