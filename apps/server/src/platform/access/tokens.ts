import crypto from 'node:crypto'
import type { Db } from '#server/platform/database/database.ts'

export const newToken = () => crypto.randomBytes(32).toString('base64url')

/** Only this hash is stored, so a reader of the database cannot use the token. */
export const hashToken = (token: string) => crypto.createHash('sha256').update(token).digest()

export type TokenPurpose = 'verify-email' | 'reset-password' | 'change-email' | 'invitation'

type NewToken = { accountId: string; purpose: TokenPurpose; minutes: number; now: Date; payload?: unknown }

/** Makes a link token and invalidates the account's earlier tokens for the same purpose. */
export async function issueOneTimeToken(
  tx: Db,
  { accountId, purpose, minutes, now, payload }: NewToken,
): Promise<string> {
  await tx
    .updateTable('oneTimeTokens')
    .set({ usedAt: now })
    .where('accountId', '=', accountId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute()
  const token = newToken()
  await tx
    .insertInto('oneTimeTokens')
    .values({
      accountId,
      purpose,
      tokenHash: hashToken(token),
      payload: payload === undefined ? null : JSON.stringify(payload),
      expiresAt: new Date(now.getTime() + minutes * 60_000),
      createdAt: now,
    })
    .execute()
  return token
}

/** Marks a link token as used and returns it in one statement, so a second click gets undefined. */
export const takeOneTimeToken = (tx: Db, purpose: TokenPurpose, token: string, now: Date) =>
  tx
    .updateTable('oneTimeTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['accountId', 'payload'])
    .executeTakeFirst()
