import { sql } from 'kysely'
import { notify, sendMail } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { hashToken, type TokenPurpose } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { emailOfLink, endLinks, hasEnoughLinks, linkRefused, mailLink, takeOpenLink, waitBeforeNext } from './links.ts'
import { type Device, findAccountWithRole, getAccountWithRole, selfActor } from './signed-in.ts'

const purposes: TokenPurpose[] = ['verify-email', 'change-email']

/**
 * Confirms the address a link was sent to: the account's own, or a new one that replaces it. Of parallel requests the
 * first takes the link; the others wait for its row lock and get `already`.
 */
export const verifyEmail = (services: Services, token: string, device: Device) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx, now } = context
    const link = await takeOpenLink(tx, purposes, token, now)
    if (!link) return findConfirmed(tx, token)
    const row = await findAccountWithRole(tx, link.accountId)
    if (!row?.active) throw linkRefused('link_invalid')
    if (link.purpose === 'change-email') return applyNewEmail(context, row, link.email, device)
    // The account's address has changed since this link was sent.
    if (link.email.toLowerCase() !== row.email.toLowerCase()) throw linkRefused('link_invalid')
    const verified = await tx
      .updateTable('accounts')
      .set({ emailVerifiedAt: now, updatedAt: now })
      .where('id', '=', row.id)
      .where('emailVerifiedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (verified) {
      await recordAudit(tx, selfActor(row, device), { action: 'account.verify_email', on: { account: row.id } })
      await notify(context, {
        accountId: row.id,
        event: 'account-welcome',
        params: { name: row.name },
        link: '/dashboard',
      })
    }
    return { email: row.email, emailVerifiedAt: row.emailVerifiedAt ?? now, changed: false, already: !verified }
  })

/** Finds the confirmed address behind a used link; throws 410 if it is not confirmed. */
async function findConfirmed(tx: Db, token: string) {
  const link = await tx
    .selectFrom('oneTimeTokens')
    .innerJoin('accounts', 'accounts.id', 'oneTimeTokens.accountId')
    .select(['accounts.email', 'accounts.emailVerifiedAt', 'accounts.active'])
    .select(['oneTimeTokens.usedAt', 'oneTimeTokens.payload'])
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', 'in', purposes)
    .executeTakeFirst()
  if (!link?.active) throw linkRefused('link_invalid')
  const { email, emailVerifiedAt, usedAt } = link
  if (emailVerifiedAt && emailOfLink(link.payload).toLowerCase() === email.toLowerCase())
    return { email, emailVerifiedAt, changed: false, already: true }
  throw linkRefused(usedAt ? 'link_replaced' : 'link_expired')
}

type Row = NonNullable<Awaited<ReturnType<typeof findAccountWithRole>>>

async function applyNewEmail(context: Omit<Context, 'actor'>, row: Row, email: string, device: Device) {
  const { tx, now } = context
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ email, emailVerifiedAt: now, updatedAt: now, version: sql`version + 1` })
    .where('id', '=', row.id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('accounts as other')
            .select('other.id')
            .where('other.emailLower', '=', email.toLowerCase())
            .where('other.id', '!=', row.id),
        ),
      ),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError(409, 'email_taken', {}, { token: 'email_taken' })
  // An unused reset link at the old address would give the account to the reader of that mailbox.
  await endLinks(tx, row.id, ['verify-email', 'change-email', 'reset-password'], now)
  await recordAudit(tx, selfActor(row, device), {
    action: 'account.change_email',
    on: { account: row.id },
    before: { email: row.email },
    after: { email },
  })
  await sendMail(context, {
    to: row.email,
    language: row.language,
    event: 'account-email-changed',
    params: { name: row.name, email },
  })
  return { email, emailVerifiedAt: now, changed: true, already: false }
}

/** Data of /verify-email: the address, a pending new address, and seconds until another mail may be sent. */
export async function getVerification(db: Db, actor: Actor, now: Date) {
  const row = await findAccountWithRole(db, actor.accountId)
  if (!row) throw notFound('account')
  const pending = await findPendingEmail(db, row.id, now)
  return {
    email: row.email,
    pendingEmail: pending ?? null,
    verified: row.emailVerifiedAt !== null,
    waitSeconds: await waitBeforeNext(db, row.id, purposes, now),
  }
}

export async function findPendingEmail(db: Db, accountId: string, now: Date): Promise<string | undefined> {
  const pending = await db
    .selectFrom('oneTimeTokens')
    .select('payload')
    .where('accountId', '=', accountId)
    .where('purpose', '=', 'change-email')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (pending?.payload as { email?: string } | undefined)?.email
}

/** Locks the account's row, so that of two clicks only the first sends a mail. */
const lockOwnAccount = (tx: Db, accountId: string) =>
  tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().executeTakeFirstOrThrow()

async function refuseTooEarly(tx: Db, accountId: string, now: Date) {
  const seconds = await waitBeforeNext(tx, accountId, purposes, now)
  if (seconds > 0)
    throw new AppError(
      429,
      'resend_too_early',
      { seconds },
      { email: { code: 'resend_too_early', params: { seconds } } },
    )
}

async function refuseTooMany(tx: Db, accountId: string, now: Date) {
  if (await hasEnoughLinks(tx, accountId, purposes, now))
    throw new AppError(429, 'too_many_requests', {}, { email: 'too_many_requests' })
}

export const resendVerification = (services: Services, actor: Actor) =>
  inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    await lockOwnAccount(tx, actor.accountId)
    const row = await getAccountWithRole(tx, actor.accountId)
    const pendingEmail = await findPendingEmail(tx, row.id, now)
    if (row.emailVerifiedAt && !pendingEmail) throw new AppError(409, 'email_already_verified')
    await refuseTooEarly(tx, row.id, now)
    await refuseTooMany(tx, row.id, now)
    if (pendingEmail) await mailLink(context, 'change-email', { ...row, email: pendingEmail })
    else await mailLink(context, 'verify-email', row)
    await recordAudit(tx, actor, { action: 'account.resend_verification', on: { account: row.id } })
    return getVerification(tx, actor, now)
  })

/**
 * Requests another address. A confirmed address stays until the new one is confirmed. An unconfirmed one is replaced at
 * once, so that a stranger whose address was mistyped has nothing left to confirm or reset.
 */
export const requestNewEmail = (services: Services, actor: Actor, email: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    await lockOwnAccount(tx, actor.accountId)
    const row = await getAccountWithRole(tx, actor.accountId)
    const newEmail = email.toLowerCase()
    if (newEmail === row.email.toLowerCase()) throw new AppError(422, 'invalid_input', {}, { email: 'email_unchanged' })
    const existing = await tx.selectFrom('accounts').select('id').where('emailLower', '=', newEmail).executeTakeFirst()
    if (existing) throw new AppError(422, 'invalid_input', {}, { email: 'email_taken' })
    await refuseTooMany(tx, row.id, now)
    if (row.emailVerifiedAt) await mailLink(context, 'change-email', { ...row, email })
    else {
      await endLinks(tx, row.id, ['verify-email', 'change-email', 'reset-password'], now)
      await tx.updateTable('accounts').set({ email, updatedAt: now }).where('id', '=', row.id).execute()
      await mailLink(context, 'verify-email', { ...row, email })
    }
    await recordAudit(tx, actor, {
      action: 'account.request_email',
      on: { account: row.id },
      before: { email: row.email },
      after: { email },
    })
    return getVerification(tx, actor, now)
  })
