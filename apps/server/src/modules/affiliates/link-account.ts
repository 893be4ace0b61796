import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { payableOf } from './settle/commission.ts'

/** An affiliate's balance in whole rupiah, and the part that the next payout transfers. */
export async function readBalance(db: Db, affiliateId: string) {
  const balance = await db
    .selectFrom('commissionBalances')
    .select(['balance', 'held', 'frozen'])
    .where('affiliateId', '=', affiliateId)
    .executeTakeFirstOrThrow()
  const { balance: sum, held, frozen } = balance as { balance: number; held: number; frozen: number }
  const parts = { balance: sum, held, frozen }
  return { ...parts, payable: payableOf(parts) }
}

/** An affiliate with its account and balance; 404 if unknown. */
export async function showLink(db: Db, id: string) {
  const found = await db
    .selectFrom('affiliates as f')
    .leftJoin('accounts as c', 'c.id', 'f.accountId')
    .select(['f.id', 'f.code', 'f.name', 'c.id as accountId', 'c.name as accountName', 'c.email'])
    .where('f.id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('affiliate')
  const { accountId, accountName, email, ...affiliate } = found
  return {
    affiliate,
    account: accountId ? { id: accountId, name: accountName!, email: email! } : null,
    balance: await readBalance(db, id),
  }
}

/**
 * Links an affiliate to the account with this e-mail, or to none if it is empty; 409 if the account belongs to another
 * affiliate.
 */
export const linkAccount = ({ db, clock }: Services, actor: Actor, id: string, email: string) =>
  db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('affiliates')
      .select('accountId')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('affiliate')
    const account = email
      ? await tx.selectFrom('accounts').select('id').where('emailLower', '=', email.toLowerCase()).executeTakeFirst()
      : null
    if (account === undefined) throw invalid({ email: 'affiliate_account_unknown' })
    const accountId = account?.id ?? null
    if (accountId) {
      const other = await tx
        .selectFrom('affiliates')
        .select('id')
        .where('accountId', '=', accountId)
        .where('id', '<>', id)
        .executeTakeFirst()
      if (other) throw conflict('affiliate_account_taken')
    }
    await tx
      .updateTable('affiliates')
      .set((eb) => ({ accountId, version: eb('version', '+', 1), updatedAt: clock.now(), updatedBy: actor.accountId }))
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'affiliate.link', on: { affiliate: id }, before, after: { accountId } })
    return showLink(tx, id)
  })
