import crypto from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { keyFor, openText, sealText } from '#server/platform/access/secret-box.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'

const secretPurpose = 'totp secret'
const periodSeconds = 30
/** Steps of 30 s that the phone's clock may differ, either way. */
const driftSteps = 1
export const recoveryCodeCount = 10
/** Without look-alike letters and digits. */
const recoveryLetters = 'abcdefghjkmnpqrstuvwxyz23456789'

const generatorOf = (secret: Secret, label = '', issuer = '') =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds })

export const newTotpSecret = () => new Secret({ size: 20 }).base32

export const totpUri = (secret: string, label: string, issuer: string) =>
  generatorOf(Secret.fromBase32(secret), label, issuer).toString()

export const sealTotp = ({ config }: Pick<Services, 'config'>, accountId: string, secret: string) =>
  sealText(config.secretKey, `${secretPurpose} ${accountId}`, secret)

/** Opens a sealed secret for its account only; undefined if the installation's secret key has changed. */
export const openTotp = ({ config }: Pick<Services, 'config'>, accountId: string, sealed: string) =>
  openText(config.secretKey, `${secretPurpose} ${accountId}`, sealed)

/** Time step of a code, if it is the current one or within `driftSteps`. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s+/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = generatorOf(Secret.fromBase32(secret)).validate({ token, timestamp, window: driftSteps })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta
}

const normalize = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Keyed, so that a copy of the database alone does not allow guessing codes. */
const hashOf = ({ config }: Pick<Services, 'config'>, accountId: string, code: string) =>
  crypto
    .createHmac('sha256', keyFor(config.secretKey, 'recovery codes'))
    .update(`${accountId} ${normalize(code)}`)
    .digest()

const newRecoveryCode = () => {
  const letters = Array.from({ length: 10 }, () => recoveryLetters[crypto.randomInt(recoveryLetters.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

/** Replaces the recovery codes by ten new ones, stored as hashes. Only this return value contains them. */
export async function replaceRecoveryCodes(
  { tx, services, now }: Omit<Context, 'actor'>,
  accountId: string,
): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < recoveryCodeCount) codes.add(newRecoveryCode())
  const createdAt = now
  await tx.deleteFrom('totpRecoveryCodes').where('accountId', '=', accountId).execute()
  await tx
    .insertInto('totpRecoveryCodes')
    .values([...codes].map((code) => ({ accountId, codeHash: hashOf(services, accountId, code), createdAt })))
    .execute()
  return [...codes]
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { left: codesLeft } = await db
    .selectFrom('totpRecoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('accountId', '=', accountId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return codesLeft
}

/**
 * Uses up a code of the app or a recovery code. The update checks and writes in one statement, so of two requests with
 * the same code one succeeds. A code from an earlier time step than the last used one is refused.
 */
export async function useCode(
  { tx, services, now }: Omit<Context, 'actor'>,
  account: { id: string; totpSecret: string | null },
  code: string,
): Promise<'app' | 'recovery' | undefined> {
  const secret = account.totpSecret && openTotp(services, account.id, account.totpSecret)
  const step = secret ? stepOfCode(secret, code, now) : undefined
  if (step !== undefined) {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ totpLastStep: step })
      .where('id', '=', account.id)
      .where('totpSecret', '=', account.totpSecret)
      .where((eb) => eb.or([eb('totpLastStep', 'is', null), eb('totpLastStep', '<', step)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n ? 'app' : undefined
  }
  if (normalize(code).length !== 10) return undefined
  const { numUpdatedRows } = await tx
    .updateTable('totpRecoveryCodes')
    .set({ usedAt: now })
    .where('accountId', '=', account.id)
    .where('codeHash', '=', hashOf(services, account.id, code))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? 'recovery' : undefined
}

export const clearTotp = async (tx: Db, accountId: string, now: Date) => {
  await tx.deleteFrom('totpRecoveryCodes').where('accountId', '=', accountId).execute()
  await tx
    .updateTable('accounts')
    .set({
      totpSecret: null,
      totpEnabledAt: null,
      totpPending: null,
      totpPendingAt: null,
      totpLastStep: null,
      updatedAt: now,
    })
    .where('id', '=', accountId)
    .execute()
}
