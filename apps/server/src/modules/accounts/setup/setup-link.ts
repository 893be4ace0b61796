import os from 'node:os'
import { sql } from 'kysely'
import type { z } from 'zod'
import { newPasswordProblem } from '#domain/accounts/fields.ts'
import { type becomeAdministrator as becomeCall, setupMinutes } from '#domain/accounts/setup-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { refuseInvalid } from '#server/modules/accounts/check-input.ts'
import { endLinks, linkRefused } from '#server/modules/accounts/links.ts'
import { forgetAttempts } from '#server/modules/accounts/sign-in.ts'
import { beginSession, type Device, getAccountWithRole, selfActor } from '#server/modules/accounts/signed-in.ts'
import { clearTotp } from '#server/modules/accounts/totp/totp.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { findAdministratorRole, findAdministrators, waitForTurn } from '#server/platform/access/administrators.ts'
import { hashPassword, revokeAllSessions } from '#server/platform/access/authentication.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { hashToken, newToken } from '#server/platform/access/tokens.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

type NewLink = { token: string; expiresAt: Date }

async function insertLink(tx: Db, email: string | null, now: Date): Promise<NewLink> {
  const token = newToken()
  const expiresAt = new Date(now.getTime() + setupMinutes * 60_000)
  await tx
    .insertInto('setupLinks')
    .values({ tokenHash: hashToken(token), email, expiresAt, createdAt: now })
    .execute()
  return { token, expiresAt }
}

/**
 * Text printed at the start, with the address that creates the first administrator; undefined while there is an
 * administrator.
 */
export async function offerFirstSetup({ db, clock }: Services, siteUrl: string): Promise<string | undefined> {
  if ((await findAdministrators(db)).length > 0) return undefined
  const { token } = await insertLink(db, null, clock.now())
  return `There is no administrator yet. This address makes the first one, once and within an hour:\n${siteUrl}/setup/${token}`
}

/** Path of a page that makes the owner of an e-mail address an administrator. Notifies every administrator. */
export const offerSetupTo = (services: Services, email: string): Promise<string> =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await endSetupLinks(context, email)
    const { token, expiresAt } = await insertLink(tx, email, services.clock.now())
    const actor = { ...systemActor, name: `npm run administrator (${os.userInfo().username})` }
    await recordAudit(tx, actor, { action: 'account.offer_setup', on: { account: email }, after: { email } })
    for (const accountId of await findAdministrators(tx))
      await notify(context, {
        accountId,
        event: 'administrator-link',
        params: (language) => ({ email, due: dateTime(expiresAt, language) }),
        link: '/settings/accounts',
      })
    return `/setup/${token}`
  })

/** Ends the unused links of an e-mail address and those for the first administrator. */
const endSetupLinks = ({ tx, now }: Omit<Context, 'actor'>, email: string) =>
  tx
    .updateTable('setupLinks')
    .set({ usedAt: now })
    .where('usedAt', 'is', null)
    .where((eb) => eb.or([eb('email', 'is', null), eb(sql`lower(email)`, '=', email.toLowerCase())]))
    .execute()

const findByEmail = (db: Db, email: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('emailLower', '=', email.trim().toLowerCase())
    .executeTakeFirst()

/** Reads a link without using it up; throws `link_invalid`, `link_used` or `link_expired`. */
export async function readSetupLink(db: Db, token: string, now: Date) {
  const link = await db
    .selectFrom('setupLinks')
    .select(['email', 'usedAt', 'expiresAt'])
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  if (!link) throw linkRefused('link_invalid')
  const { email, usedAt, expiresAt } = link
  if (usedAt || (email === null && (await findAdministrators(db)).length > 0)) throw linkRefused('link_used')
  if (expiresAt <= now) throw linkRefused('link_expired')
  return { email, name: (email && (await findByEmail(db, email))?.name) || null, expiresAt }
}

/** Uses a link up in one statement: if two people have the same link, the second is refused. */
async function takeSetupLink(tx: Tx, token: string, now: Date) {
  const link = await tx
    .updateTable('setupLinks')
    .set({ usedAt: now })
    .where('tokenHash', '=', hashToken(token))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('email')
    .executeTakeFirst()
  if (!link || (link.email === null && (await findAdministrators(tx)).length > 0)) throw linkRefused('link_used')
  return link
}

type Input = z.output<typeof becomeCall.body>

/**
 * Creates an administrator and signs in; the second factor must be set up before anything else. An existing account
 * with the link's address loses its password, second factor, Google sign-in and sessions. An address typed by the
 * reader is refused if it has an account: only a link made for that address may take it over.
 */
export async function becomeAdministrator(services: Services, input: Input, device: Device) {
  const now = services.clock.now()
  // Refused before the slow hashing.
  await readSetupLink(services.db, input.token, now)
  const passwordHash = await hashPassword(input.password)
  return inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    await waitForTurn(tx)
    const link = await takeSetupLink(tx, input.token, now)
    const email = link.email ?? input.email.trim()
    // Throwing here rolls back `takeSetupLink`: the link stays usable.
    refuseInvalid({ password: newPasswordProblem(input.password, email) })
    const existing = await findByEmail(tx, email)
    if (existing && link.email === null) throw invalid({ email: 'setup_email_taken' })
    const role = await findAdministratorRole(tx)
    if (!role) throw conflict('no_administrator_role')
    // Every later administrator needs a second factor, like the first.
    if (link.email === null)
      await tx
        .updateTable('roles')
        .set({ requireTotp: true, version: sql`version + 1` })
        .where('id', '=', role.id)
        .execute()
    const others = (await findAdministrators(tx)).filter((id) => id !== existing?.id)
    const id = await saveAdministrator(
      tx,
      existing?.id,
      {
        name: input.name,
        language: input.language,
        passwordHash,
        roleId: role.id,
        active: true,
        // Anyone who reads the server's output may set the address; mail may not be set up yet.
        emailVerifiedAt: now,
        requireTotp: true,
        updatedAt: now,
      },
      email,
    )
    if (existing) {
      await clearTotp(tx, id, now)
      await tx.deleteFrom('accountIdentities').where('accountId', '=', id).execute()
      await revokeAllSessions(tx, id, undefined, now)
      await endLinks(tx, id, ['reset-password', 'change-email', 'verify-email', 'invitation'], now)
    }
    await forgetAttempts(tx, email)
    await endSetupLinks(context, email)
    const row = await getAccountWithRole(tx, id)
    await recordAudit(tx, selfActor(row, device), {
      action: 'account.become_administrator',
      on: { account: id },
      after: { email: row.email, role: role.name, isNew: !existing },
    })
    for (const accountId of others)
      await notify(context, {
        accountId,
        event: 'administrator-added',
        params: { email: row.email },
        link: `/settings/accounts/${id}`,
      })
    if (existing) await notify(context, { accountId: id, event: 'password-changed' })
    return beginSession(tx, row, device, now)
  })
}

type Administrator = {
  name: string
  language: Input['language']
  passwordHash: string
  roleId: string
  active: true
  emailVerifiedAt: Date
  requireTotp: true
  updatedAt: Date
}

async function saveAdministrator(tx: Tx, existingId: string | undefined, values: Administrator, email: string) {
  const { id } = existingId
    ? await tx
        .updateTable('accounts')
        .set({ ...values, version: sql`version + 1` })
        .where('id', '=', existingId)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await tx
        .insertInto('accounts')
        .values({ ...values, email, createdAt: values.updatedAt })
        .returning('id')
        .executeTakeFirstOrThrow()
  return id
}
