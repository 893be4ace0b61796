import { productName } from '#domain/settings/settings.ts'
import type { Language } from '#entities/define/language.ts'
import { forgetAttempts, noteFailure, reserveAttempt } from '#server/modules/accounts/sign-in.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { verifyPassword } from '#server/platform/access/authentication.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid } from '#server/platform/errors.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import {
  clearTotp,
  countRecoveryCodes,
  newTotpSecret,
  openTotp,
  replaceRecoveryCodes,
  sealTotp,
  stepOfCode,
  totpUri,
  useCode,
} from './totp.ts'

/** Minutes in which a new key may be confirmed. */
const pendingMinutes = 30

const getOwnAccount = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.passwordHash',
      'accounts.totpSecret',
      'accounts.totpEnabledAt',
      'accounts.totpPending',
      'accounts.totpPendingAt',
      'accounts.requireTotp as accountRequires',
      'roles.requireTotp as roleRequires',
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()

export async function readTotp(db: Db, actor: Actor) {
  const row = await getOwnAccount(db, actor.accountId)
  return {
    on: row.totpSecret !== null,
    since: row.totpEnabledAt,
    required: row.accountRequires || row.roleRequires,
    recoveryCodesLeft: await countRecoveryCodes(db, row.id),
  }
}

/** Starts a new key and discards an unconfirmed one; 409 if the second factor is already on. */
export async function startTotp(services: Services, actor: Actor) {
  const { db, clock } = services
  const secret = newTotpSecret()
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ totpPending: sealTotp(services, actor.accountId, secret), totpPendingAt: clock.now() })
    .where('id', '=', actor.accountId)
    .where('totpSecret', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('totp_already_on')
  const { universityName } = await getSettings(db)
  const uri = totpUri(secret, actor.email, [...new Set([productName, universityName])].join(' '))
  return { key: secret.replace(/(.{4})(?=.)/g, '$1 '), uri, qr: qrOf(uri) }
}

/**
 * Runs a check of code and password and counts it like a sign-in: a borrowed session must not be a place to guess at.
 * `before` counts too and runs outside the transaction.
 */
async function countAttempt<T>(
  services: Services,
  actor: Actor,
  language: Language,
  work: (context: Context) => Promise<T>,
  checkBefore?: () => Promise<void>,
): Promise<T> {
  const { accountId, email } = actor
  const { failures } = await reserveAttempt(services.db, email, services.clock.now(), language).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw new AppError(429, 'sign_in_blocked', error.details, {
      code: { code: 'sign_in_blocked', params: error.details },
    })
  })
  try {
    await checkBefore?.()
    return await inTransaction(services, actor, async (context) => {
      const result = await work(context)
      await forgetAttempts(context.tx, email)
      return result
    })
  } catch (error) {
    if (error instanceof AppError && error.status === 422) await noteFailure(services, accountId, failures)
    throw error
  }
}

/** Turns the second factor on after a correct code from the app. */
export async function confirmTotp(services: Services, actor: Actor, code: string, language: Language) {
  return countAttempt(services, actor, language, async (context) => {
    const { tx, now } = context
    await tx.selectFrom('accounts').select('id').where('id', '=', actor.accountId).forUpdate().execute()
    const row = await getOwnAccount(tx, actor.accountId)
    if (row.totpSecret) throw conflict('totp_already_on')
    const pendingForMs = row.totpPendingAt ? now.getTime() - row.totpPendingAt.getTime() : Number.POSITIVE_INFINITY
    const secret = row.totpPending && openTotp(services, row.id, row.totpPending)
    if (!secret || pendingForMs > pendingMinutes * 60_000) throw conflict('totp_setup_expired')
    const step = stepOfCode(secret, code, now)
    if (step === undefined) throw invalid({ code: 'totp_wrong' })
    await tx
      .updateTable('accounts')
      .set({
        totpSecret: row.totpPending,
        totpEnabledAt: now,
        totpLastStep: step,
        totpPending: null,
        totpPendingAt: null,
        updatedAt: now,
      })
      .where('id', '=', row.id)
      .execute()
    const recoveryCodes = await replaceRecoveryCodes(context, row.id)
    await recordAudit(tx, actor, { action: 'account.totp_on', on: { account: actor.accountId } })
    await notify(context, { accountId: row.id, event: 'account-totp-on', params: { name: actor.name } })
    return { recoveryCodes }
  })
}

type Proof = { password?: string | undefined; code: string }

type OwnAccount = Awaited<ReturnType<typeof getOwnAccount>>

/**
 * Runs `work` once the password (if the account has one) and the code are proven: at a screen left open, only the owner
 * knows both. The password is compared before the transaction, because hashing is slow.
 */
async function runAsOwner<T>(
  services: Services,
  actor: Actor,
  { password, code }: Proof,
  language: Language,
  work: (context: Context, row: OwnAccount) => Promise<T>,
): Promise<T> {
  let provenHash: string | null = null
  return countAttempt(
    services,
    actor,
    language,
    async (context) => {
      const row = await getOwnAccount(context.tx, actor.accountId)
      // The password was changed after it was proven.
      if (row.passwordHash !== provenHash) throw invalid({ password: 'password_wrong' })
      if (!(await useCode(context, row, code))) throw invalid({ code: 'totp_wrong' })
      return work(context, row)
    },
    async () => {
      const { totpSecret, passwordHash } = await getOwnAccount(services.db, actor.accountId)
      if (!totpSecret) throw conflict('totp_not_on')
      if (passwordHash && !(await verifyPassword(passwordHash, password ?? '')))
        throw invalid({ password: password ? 'password_wrong' : 'field_required' })
      provenHash = passwordHash
    },
  )
}

export function renewRecoveryCodes(services: Services, actor: Actor, proof: Proof, language: Language) {
  return runAsOwner(services, actor, proof, language, async (context, row) => {
    const recoveryCodes = await replaceRecoveryCodes(context, row.id)
    await recordAudit(context.tx, actor, { action: 'account.recovery_codes', on: { account: actor.accountId } })
    return { recoveryCodes }
  })
}

export function endTotp(services: Services, actor: Actor, proof: Proof, language: Language) {
  return runAsOwner(services, actor, proof, language, async (context, row) => {
    const { tx, now } = context
    if (row.accountRequires || row.roleRequires) throw conflict('totp_is_required')
    await clearTotp(tx, row.id, now)
    await recordAudit(tx, actor, { action: 'account.totp_off', on: { account: actor.accountId } })
    await notify(context, { accountId: row.id, event: 'account-totp-off', params: { name: actor.name } })
    return readTotp(tx, actor)
  })
}
