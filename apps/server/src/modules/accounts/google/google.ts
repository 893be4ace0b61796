import { sql } from 'kysely'
import * as oidc from 'openid-client'
import type { SignedIn } from '#domain/accounts/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { cleanLine } from '#entities/define/typed-text.ts'
import { endLinks, linkRefused } from '#server/modules/accounts/links.ts'
import { insertApplicantAccount, tellOfOpening } from '#server/modules/accounts/register-account.ts'
import { finishSignIn, reserveAttempt } from '#server/modules/accounts/sign-in.ts'
import {
  type AccountRow,
  type Device,
  findAccountWithRole,
  getAccountWithRole,
  selfActor,
} from '#server/modules/accounts/signed-in.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { revokeAllSessions } from '#server/platform/access/authentication.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { openText, sealText } from '#server/platform/access/secret-box.ts'
import { hashToken, newToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

export const callbackPath = '/api/auth/google/callback'
/** Minutes for the sign-in at Google. */
export const flowMinutes = 10
const exchangeSeconds = 60
/** Minutes to find the phone and type the TOTP code after Google's answer. */
const codeMinutes = 5

/** State of a sign-in between leaving and returning; stored only in an encrypted cookie. */
export type Flow = {
  state: string
  nonce: string
  verifier: string
  /** Ties the returned code to the browser that started the sign-in. */
  browser: string
  ref?: string | undefined
  device?: string | undefined
  language: Language
  expiresAt: number
}

const cookiePurpose = 'google sign-in cookie'

export const sealFlow = (secret: string, flow: Flow): string => sealText(secret, cookiePurpose, JSON.stringify(flow))

export function openFlow(secret: string, sealed: string | undefined, now: Date): Flow | undefined {
  const openedFlow = sealed && openText(secret, cookiePurpose, sealed)
  const flow = openedFlow ? (JSON.parse(openedFlow) as Flow) : undefined
  return flow && flow.expiresAt > now.getTime() ? flow : undefined
}

/** Loads Google's endpoints and keys at the first sign-in, and again after a failure. */
export function googleClient(services: Services) {
  let discovered: Promise<oidc.Configuration> | undefined
  return () => {
    refuseInTransaction('calling Google')
    const google = services.config.google
    if (!google) throw new AppError(404, 'google_not_configured')
    const issuer = new URL(google.issuer)
    // Only the test provider uses plain HTTP.
    const loopback = issuer.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(issuer.hostname)
    discovered ??= oidc.discovery(issuer, google.clientId, google.clientSecret, undefined, {
      timeout: 10,
      ...(loopback && { execute: [oidc.allowInsecureRequests] }),
    })
    discovered.catch(() => {
      discovered = undefined
    })
    return discovered
  }
}

const isGoogle = ({ config }: Services) => config.google?.issuer.replace(/\/$/, '') === 'https://accounts.google.com'
const redirectUri = (services: Services) => `${services.config.publicUrl}${callbackPath}`

export async function startGoogle(
  services: Services,
  client: () => Promise<oidc.Configuration>,
  language: Language,
  ref?: string,
  visitor?: string,
) {
  const configuration = await client()
  const flow: Flow = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    browser: newToken(),
    ref: ref?.trim() || undefined,
    device: visitor,
    language,
    expiresAt: services.clock.now().getTime() + flowMinutes * 60_000,
  }
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(services),
    scope: 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    // On a shared school computer Google would otherwise sign in the previous user. Other providers may not support
    // this value.
    ...(isGoogle(services) && { prompt: 'select_account' }),
    ui_locales: language,
  })
  return { url: url.href, flow }
}

export type GooglePerson = { subject: string; email: string; emailVerified: boolean; name: string }

/** Checks the answer (state, nonce, PKCE, signature, issuer, audience) and reads the identity. */
export async function readGoogleAnswer(
  services: Services,
  configuration: oidc.Configuration,
  query: string,
  flow: Flow,
): Promise<GooglePerson> {
  refuseInTransaction('calling Google')
  const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri(services)}${query}`), {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  const person = claims.email ? claims : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  const email = typeof person.email === 'string' ? person.email : ''
  return {
    subject: claims.sub,
    email,
    emailVerified: person.email_verified === true,
    name: (typeof person.name === 'string' && cleanLine(person.name).slice(0, 100).trim()) || email.split('@')[0] || '',
  }
}

/** Links or opens an account, and creates a code that only the same browser can exchange. */
export const acceptGooglePerson = (
  services: Services,
  person: GooglePerson,
  flow: Flow,
  device: Device,
): Promise<string> =>
  inTransaction(services, systemActor, async (context) => {
    const { tx, now } = context
    const row = await findOrOpenAccount(context, person, flow, device)
    if (!row.active || !row.roleActive) throw new AppError(403, 'account_inactive')
    const code = newToken()
    await tx
      .insertInto('signInExchanges')
      .values({
        codeHash: hashToken(code),
        accountId: row.id,
        browserHash: hashToken(flow.browser),
        expiresAt: new Date(now.getTime() + exchangeSeconds * 1000),
      })
      .execute()
    return code
  })

async function findOrOpenAccount(
  context: Omit<Context, 'actor'>,
  person: GooglePerson,
  flow: Flow,
  device: Device,
): Promise<AccountRow> {
  const { tx, services } = context
  const identity = await tx
    .selectFrom('accountIdentities')
    .select('accountId')
    .where('provider', '=', 'google')
    .where('subject', '=', person.subject)
    .executeTakeFirst()
  if (identity) return await getAccountWithRole(tx, identity.accountId)
  // An unverified address proves nothing: linking by it could open another user's account.
  if (!person.email || !person.emailVerified) throw new AppError(403, 'google_email_unverified')
  const openedId = await openAccount(context, person, flow)
  if (openedId) await tellOfOpening(context, openedId, device, flow.device)
  const accountId = openedId ?? (await linkableAccount(tx, person.email))
  const row = await getAccountWithRole(tx, accountId)
  if (!openedId && !row.emailVerifiedAt) await takeOverUnverified(tx, row, services.clock.now())
  await tx.insertInto('accountIdentities').values({ provider: 'google', subject: person.subject, accountId }).execute()
  const action = openedId ? 'account.register' : 'account.link_google'
  await recordAudit(tx, selfActor(row, device), { action, on: { account: accountId }, after: { by: 'google' } })
  const event = openedId ? 'account-welcome' : 'account-google-linked'
  await notify(context, { accountId, event, params: { name: row.name }, link: '/dashboard' })
  return row
}

async function openAccount(
  { tx, now }: Omit<Context, 'actor'>,
  person: GooglePerson,
  flow: Flow,
): Promise<string | undefined> {
  const { consentVersion } = await getSettings(tx)
  return insertApplicantAccount(tx, {
    name: person.name,
    email: person.email,
    emailVerifiedAt: now,
    phone: null,
    passwordHash: null,
    language: flow.language,
    consentVersion,
    consentAt: now,
    referralCode: flow.ref ?? null,
    createdAt: now,
  })
}

async function linkableAccount(tx: Db, email: string): Promise<string> {
  const { id } = await tx
    .selectFrom('accounts')
    .select('id')
    .where('emailLower', '=', email.toLowerCase())
    .forUpdate()
    .executeTakeFirstOrThrow()
  const otherIdentity = await tx
    .selectFrom('accountIdentities')
    .select('subject')
    .where('provider', '=', 'google')
    .where('accountId', '=', id)
    .executeTakeFirst()
  if (otherIdentity) throw new AppError(409, 'google_other_account')
  return id
}

/**
 * The account may have been opened by someone who does not own the address. Google has now proven the owner, so the old
 * password, sessions and links end.
 */
async function takeOverUnverified(tx: Db, row: AccountRow, now: Date) {
  await tx
    .updateTable('accounts')
    .set({ emailVerifiedAt: now, passwordHash: null, updatedAt: now })
    .where('id', '=', row.id)
    .execute()
  await revokeAllSessions(tx, row.id, undefined, now)
  await endLinks(tx, row.id, ['verify-email', 'change-email', 'reset-password'], now)
}

/** Exchanges the code for a session; an account with a second factor needs its code too. */
export async function exchangeGoogleCode(
  services: Services,
  { code, totp }: { code: string; totp?: string | undefined },
  flow: Flow | undefined,
  device: Device,
): Promise<SignedIn> {
  const { db, clock } = services
  const now = clock.now()
  if (!flow) throw linkRefused('link_invalid')
  const row = await findExchangeAccount(db, code, flow, now)
  const failures = row.totpSecret && totp ? (await reserveAttempt(db, row.email, now, flow.language)).failures : 0
  if (row.totpSecret && !totp)
    await db
      .updateTable('signInExchanges')
      .set({ expiresAt: new Date(now.getTime() + codeMinutes * 60_000) })
      .where(isExchangeOf(code, flow, now))
      .execute()
  return finishSignIn(services, row, { code: totp, failures, proof: { by: 'google' }, device }, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('signInExchanges')
      .where(isExchangeOf(code, flow, now))
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw linkRefused('link_invalid')
  })
}

/** Matches an exchange only for the browser that started it. */
const isExchangeOf = (code: string, flow: Flow, now: Date) =>
  sql<boolean>`code_hash = ${hashToken(code)} AND browser_hash = ${hashToken(flow.browser)} AND expires_at > ${now}`

async function findExchangeAccount(db: Db, code: string, flow: Flow, now: Date): Promise<AccountRow> {
  const found = await db
    .selectFrom('signInExchanges')
    .select('accountId')
    .where(isExchangeOf(code, flow, now))
    .executeTakeFirst()
  const row = found && (await findAccountWithRole(db, found.accountId))
  if (!row?.active) throw linkRefused('link_invalid')
  return row
}
