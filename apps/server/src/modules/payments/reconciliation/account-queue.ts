import type { Selectable } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import { manualProvider } from '#server/modules/payments/money/enter/manual-payment.ts'
import { allBanks } from '#server/modules/payments/providers/index.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/** Provider code of money that is on a statement but was not reported by a bank. */
export const statementProvider = 'statement'

/** `prefix` of the bank's numbers; null if a gateway makes them. */
type Source = { bank: string; provider: string; prefix: string | null }

export type OwnAccount = Selectable<Database['bankAccounts']> & { sources: string[]; banks: Source[] }

async function withSources(services: Services, db: Db, account: Selectable<Database['bankAccounts']> | undefined) {
  if (!account) throw notFound('bank account')
  const rows = await db
    .selectFrom('bankAccountSources')
    .select('bank')
    .where('bankAccountId', '=', account.id)
    .orderBy('bank')
    .execute()
  const sources = rows.map(({ bank }) => bank)
  const known = await allBanks(services, db)
  const banks = known
    .filter(({ code }) => sources.includes(code))
    .map(({ code, provider, prefix }) => ({ bank: code, provider: provider.code, prefix }))
  return { ...account, sources, banks }
}

export const getAccount = async (services: Services, db: Db, id: string): Promise<OwnAccount> =>
  withSources(services, db, await db.selectFrom('bankAccounts').selectAll().where('id', '=', id).executeTakeFirst())

/**
 * Locks the row of an account until the transaction ends; every change of its statements or days waits for this lock
 * first.
 */
export const lockAccount = async (services: Services, tx: Tx, id: string): Promise<OwnAccount> =>
  withSources(
    services,
    tx,
    await tx.selectFrom('bankAccounts').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
  )

/**
 * Whether money on an unknown number, or at a bank removed from the settings, arrives on an account, judged by the
 * number's prefix.
 */
export function startsLikeOurs({ banks }: OwnAccount, provider: RawBuilder<unknown>, number: RawBuilder<unknown>) {
  const each = banks.map((bank) => sql`(${provider} = ${bank.provider} AND ${number} LIKE ${`${bank.prefix ?? ''}%`})`)
  return sql<boolean>`(${each.length > 0 ? sql.join(each, sql` OR `) : sql`false`})`
}

/**
 * Whether a payment `p` on the number `v` arrives on an account. Transfers entered by hand arrive on the account that
 * takes transfers; with `anyTransfer` on every account.
 */
export function arrivesOn(account: OwnAccount, { anyTransfer = false } = {}): RawBuilder<boolean> {
  const { sources, takesTransfers } = account
  return sql<boolean>`(v.bank = ANY(${sources}::text[])
    OR (v.id IS NULL AND ${startsLikeOurs(account, sql`p.provider`, sql`p.virtual_account_number`)})
    OR (${anyTransfer || takesTransfers} AND p.provider = ${manualProvider} AND p.channel = 'transfer'))`
}
