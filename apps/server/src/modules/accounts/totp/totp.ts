import crypto from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { keyFor, openText, sealText } from '#server/platform/access/secret-box.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

const secretPurpose = 'totp secret'
const period = 30
/** Steps a clock may be wrong by, either way. */
const drift = 1
export const recoveryCodeCount = 10
/** No letter or digit that is read as another. */
const recoveryLetters = 'abcdefghjkmnpqrstuvwxyz23456789'

const generatorOf = (secret: Secret, label = '', issuer = '') =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period })

export const newTotpSecret = () => new Secret({ size: 20 }).base32

export const totpUri = (secret: string, label: string, issuer: string) =>
  generatorOf(Secret.fromBase32(secret), label, issuer).toString()

export const sealTotp = ({ config }: Pick<Services, 'config'>, accountId: string, secret: string) =>
  sealText(config.secretKey, `${secretPurpose} ${accountId}`, secret)

/** A sealed secret opens for its own account only; nothing when the installation's secret has changed. */
export const openTotp = ({ config }: Pick<Services, 'config'>, accountId: string, sealed: string) =>
  openText(config.secretKey, `${secretPurpose} ${accountId}`, sealed)

/** Time step a code belongs to, if it is one of now or of the steps beside it. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s+/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = generatorOf(Secret.fromBase32(secret)).validate({ token, timestamp, window: drift })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / period) + delta
}

const normal = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Keyed, so that a copy of the database alone is no list of codes to try. */
const hashOf = ({ config }: Pick<Services, 'config'>, accountId: string, code: string) =>
  crypto
    .createHmac('sha256', keyFor(config.secretKey, 'recovery codes'))
    .update(`${accountId} ${normal(code)}`)
    .digest()

const newRecoveryCode = () => {
  const letters = Array.from({ length: 10 }, () => recoveryLetters[crypto.randomInt(recoveryLetters.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

/** Makes ten new codes in place of the old ones; they are told here once and kept as hashes only. */
export async function replaceRecoveryCodes(tx: Db, services: Services, accountId: string): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < recoveryCodeCount) codes.add(newRecoveryCode())
  const createdAt = services.clock.now()
  await tx.deleteFrom('totpRecoveryCodes').where('accountId', '=', accountId).execute()
  await tx
    .insertInto('totpRecoveryCodes')
    .values([...codes].map((code) => ({ accountId, codeHash: hashOf(services, accountId, code), createdAt })))
    .execute()
  return [...codes]
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { left } = await db
    .selectFrom('totpRecoveryCodes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('accountId', '=', accountId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/**
 * Uses a code of the account up, of the app or for recovery. One statement decides, so that of two people with the same
 * code only one gets in; a code of an earlier step than the last one is refused as well.
 */
export async function takeCode(
  tx: Db,
  services: Services,
  account: { id: string; totpSecret: string | null },
  code: string,
): Promise<'app' | 'recovery' | undefined> {
  const now = services.clock.now()
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
  if (normal(code).length !== 10) return undefined
  const { numUpdatedRows } = await tx
    .updateTable('totpRecoveryCodes')
    .set({ usedAt: now })
    .where('accountId', '=', account.id)
    .where('codeHash', '=', hashOf(services, account.id, code))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? 'recovery' : undefined
}

/** Everything about the second factor is gone from the account. */
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
