import type { Selectable } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#server/platform/authorization.ts'
import type { Database, Db, Tx } from '#server/platform/database.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { manualProvider } from '../desk/manual-payment.ts'
import { banksOf } from '../providers/index.ts'

/** Money found on a statement, under the code of no bank. */
export const statementProvider = 'statement'

/** Statement lines belong to no study programme: whoever sees only some of them sees none of these. */
export function wholeView(actor: Actor): Actor {
  if (actor.scope.kind !== 'all') throw new AppError(403, 'statements_need_whole_view')
  return actor
}

export type OwnAccount = Selectable<Database['bankAccounts']> & { sources: string[] }

async function withSources(db: Db, account: Selectable<Database['bankAccounts']> | undefined): Promise<OwnAccount> {
  if (!account) throw notFound('bank account')
  const sources = await db
    .selectFrom('bankAccountSources')
    .select('bank')
    .where('bankAccountId', '=', account.id)
    .orderBy('bank')
    .execute()
  return { ...account, sources: sources.map(({ bank }) => bank) }
}

export const getAccount = async (db: Db, id: string) =>
  withSources(db, await db.selectFrom('bankAccounts').selectAll().where('id', '=', id).executeTakeFirst())

/** The account with its row kept until the end of the transaction: whoever changes its statements or days waits here first. */
export const lockAccount = async (tx: Tx, id: string) =>
  withSources(
    tx,
    await tx.selectFrom('bankAccounts').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
  )

/** Whether a payment `p` on the number `v` arrives on an account; of transfers entered by hand, those nobody else takes. */
export function arrivesOn(
  services: Services,
  { sources, takesTransfers }: OwnAccount,
  { anyTransfer = false } = {},
): RawBuilder<boolean> {
  const prefixes = banksOf(services).filter(({ code }) => sources.includes(code))
  const byPrefix = prefixes.map(
    ({ prefix, provider }) => sql`(p.provider = ${provider.code} AND p.virtual_account_number LIKE ${`${prefix}%`})`,
  )
  return sql<boolean>`(v.bank = ANY(${sources}::text[])
    OR (v.id IS NULL AND (${byPrefix.length > 0 ? sql.join(byPrefix, sql` OR `) : sql`false`}))
    OR (${anyTransfer || takesTransfers} AND p.provider = ${manualProvider} AND p.channel = 'transfer'))`
}
