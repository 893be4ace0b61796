import { hasMailbox } from '#domain/accounts/mailbox.ts'
import { invitationHours } from '#domain/accounts/staff-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { sendMail } from '#server/modules/messaging/notify.ts'
import { takeOneTimeToken } from '#server/platform/access/authentication.ts'
import { hashToken, issueOneTimeToken, type TokenPurpose } from '#server/platform/access/tokens.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { resendWaitSeconds, resetLinkHours, verifyLinkHours } from './sign-in-wait.ts'

const minutesOf: Record<TokenPurpose, number> = {
  'verify-email': verifyLinkHours * 60,
  'change-email': verifyLinkHours * 60,
  'reset-password': resetLinkHours * 60,
  invitation: invitationHours * 60,
}

const pages: Record<TokenPurpose, string> = {
  'verify-email': 'confirm-email',
  'change-email': 'confirm-email',
  'reset-password': 'password-reset',
  invitation: 'invitation',
}

type Recipient = { id: string; name: string; email: string; language: Language }

/**
 * Issues a link that works once. The token stores the address, so a link sent to an old address never acts on the
 * account after the address changed.
 */
export async function issueLink(
  { tx, now }: Omit<Context, 'actor'>,
  purpose: TokenPurpose,
  to: Pick<Recipient, 'id' | 'email' | 'language'>,
) {
  const minutes = minutesOf[purpose]
  const token = await issueOneTimeToken(tx, { accountId: to.id, purpose, minutes, now, payload: { email: to.email } })
  return {
    path: `/${pages[purpose]}/${token}?lang=${to.language}`,
    expiresAt: new Date(now.getTime() + minutes * 60_000),
  }
}

/** Mails a link in the recipient's language; does nothing for an account without an e-mail address. */
export async function mailLink(
  context: Omit<Context, 'actor'>,
  purpose: TokenPurpose,
  to: Recipient,
  params: Record<string, string> = {},
) {
  if (!hasMailbox(to.email)) return
  const { path } = await issueLink(context, purpose, to)
  await sendMail(context, {
    to: to.email,
    language: to.language,
    event: purpose === 'invitation' ? 'account-invited' : purpose,
    params: { name: to.name, ...params },
    link: path,
  })
}

/** Seconds until the next mail of these purposes may be sent. */
export async function waitBeforeNext(db: Db, accountId: string, purposes: TokenPurpose[], now: Date): Promise<number> {
  const last = await db
    .selectFrom('oneTimeTokens')
    .select('createdAt')
    .where('accountId', '=', accountId)
    .where('purpose', 'in', purposes)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return 0
  return Math.max(0, Math.ceil(resendWaitSeconds - (now.getTime() - last.createdAt.getTime()) / 1000))
}

/**
 * Links of these purposes mailed to one account within an hour: enough to correct a mistyped address, too few to flood
 * mailboxes.
 */
const linksPerHour = 6

/** Whether an account has reached the hourly limit of links for these purposes; the address may be a stranger's. */
export async function hasEnoughLinks(db: Db, accountId: string, purposes: TokenPurpose[], now: Date): Promise<boolean> {
  const { sent } = await db
    .selectFrom('oneTimeTokens')
    .select(({ fn }) => fn.countAll<number>().as('sent'))
    .where('accountId', '=', accountId)
    .where('purpose', 'in', purposes)
    .where('createdAt', '>', new Date(now.getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  return sent >= linksPerHour
}

/** Uses up a link; returns undefined if it is unknown, used or expired. */
export async function takeOpenLink(tx: Db, purposes: TokenPurpose[], token: string, now: Date) {
  for (const purpose of purposes) {
    const link = await takeOneTimeToken(tx, purpose, token, now)
    if (link) return { ...link, purpose, email: emailOfLink(link.payload) }
  }
  return undefined
}

/** The address a link was mailed to. */
export const emailOfLink = (payload: unknown) => (payload as { email?: string } | null)?.email ?? ''

/** Uses a link up; throws 410 `link_invalid`, `link_used` or `link_expired`. */
export async function takeLink(tx: Db, purposes: TokenPurpose[], token: string, now: Date) {
  const link = await takeOpenLink(tx, purposes, token, now)
  if (link) return link
  const existing = await tx
    .selectFrom('oneTimeTokens')
    .select('usedAt')
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', 'in', purposes)
    .executeTakeFirst()
  throw linkRefused(!existing ? 'link_invalid' : existing.usedAt ? 'link_used' : 'link_expired')
}

export const linkRefused = (code: 'link_invalid' | 'link_used' | 'link_expired' | 'link_replaced') =>
  new AppError(410, code, {}, { token: code })

/** Ends unused links, such as an old reset link after a password change. */
export const endLinks = (tx: Db, accountId: string, purposes: TokenPurpose[], now: Date) =>
  tx
    .updateTable('oneTimeTokens')
    .set({ usedAt: now })
    .where('accountId', '=', accountId)
    .where('purpose', 'in', purposes)
    .where('usedAt', 'is', null)
    .execute()
