import crypto from 'node:crypto'
import type { Db } from '#server/platform/database/database.ts'

export const newToken = () => crypto.randomBytes(32).toString('base64url')

/** Only this hash is stored, so a reader of the database cannot use the token. */
export const hashToken = (token: string) => crypto.createHash('sha256').update(token).digest()

export type TokenPurpose = 'verify-email' | 'reset-password' | 'change-email' | 'invitation'

type NewToken = { accountId: string; purpose: TokenPurpose; minutes: number; now: Date; payload?: unknown }

/**
 * Makes a link token and invalidates the account's earlier tokens for the same purpose. Locks the account: of two tokens
 * made at once, the second invalidates the first.
 */
export async function issueOneTimeToken(
  tx: Db,
  { accountId, purpose, minutes, now, payload }: NewToken,
): Promise<string> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
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

/**
 * Marks a link token as used and returns it in one statement, so a second click gets undefined. Locks the account before
 * the token, in the order of `issueOneTimeToken`, so that the two cannot deadlock.
 */
export async function takeOneTimeToken(tx: Db, purpose: TokenPurpose, token: string, now: Date) {
  await tx
    .selectFrom('accounts as a')
    .innerJoin('oneTimeTokens as k', 'k.accountId', 'a.id')
    .select('a.id')
    .where('k.tokenHash', '=', hashToken(token))
    .where('k.purpose', '=', purpose)
    .forNoKeyUpdate('a')
    .execute()
  return tx
    .updateTable('oneTimeTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['accountId', 'payload'])
    .executeTakeFirst()
}
