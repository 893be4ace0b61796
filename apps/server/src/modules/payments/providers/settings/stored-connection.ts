import { sql } from 'kysely'
import { type ProviderSecret, snapSettings } from '#domain/payments/providers/provider-kinds.ts'
import type { ProviderAccount } from '#server/modules/payments/providers/configured.ts'
import { sandboxCode } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Content } from './check-input.ts'
import { banksWithUse, getProviderAccount } from './find-providers.ts'

/**
 * Locks the banks of all connections, then the connection. Conflicting prefixes show only among all banks, so
 * connections change one at a time.
 */
export async function lockConnections(tx: Tx, id: string | null) {
  await sql`LOCK TABLE provider_banks IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
  if (id) await getProviderAccount(tx, id, true)
}

/** A connection in the shape of its form, with the names of its stored keys. */
export async function contentOf(
  tx: Tx,
  { id, code, kind, name, active, baseUrl, maximumAmount, settings }: ProviderAccount,
) {
  const [banks, secrets] = await Promise.all([
    tx
      .selectFrom('providerBanks')
      .select(['id', 'code', 'name', 'channel', 'prefix', 'customerDigits', 'firstNumber', 'lastNumber'])
      .select(['amountType', 'active'])
      .where('providerAccountId', '=', id)
      .orderBy('sortOrder')
      .orderBy('code')
      .execute(),
    tx.selectFrom('providerSecrets').select('name').where('providerAccountId', '=', id).orderBy('name').execute(),
  ])
  return {
    code,
    kind,
    name,
    active,
    baseUrl,
    maximumAmount,
    snap: kind === 'snap' ? snapSettings.parse(settings) : null,
    banks,
    secrets: secrets.map((secret) => secret.name as ProviderSecret),
  }
}

/** Secrets sent to the address itself instead of only signing with them. */
const sentSecrets: readonly ProviderSecret[] = ['serverKey', 'secretKey']

/**
 * Stored values that `problemsOf` compares an entered connection with: keys, banks with their use, and banks of other
 * connections.
 */
export async function storedOf(tx: Tx, content: Content, before?: ProviderAccount) {
  const [all, secrets] = await Promise.all([
    banksWithUse(tx),
    before
      ? tx.selectFrom('providerSecrets').select('name').where('providerAccountId', '=', before.id).execute()
      : Promise.resolve([]),
  ])
  const there = new Set(secrets.map(({ name }) => name as ProviderSecret))
  const moved = before && before.baseUrl !== content.baseUrl
  const secretsOfOtherAddress = moved ? sentSecrets.filter((name) => there.has(name)) : []
  for (const [name, value] of Object.entries(content.secrets))
    if (value === null) there.delete(name as ProviderSecret)
    else there.add(name as ProviderSecret)
  const own = all.filter(({ providerAccountId }) => providerAccountId === before?.id)
  const issued = await tx
    .selectFrom('virtualAccounts')
    .select('bank')
    .distinct()
    .where('bank', 'in', own.length ? own.map(({ code }) => code) : [''])
    .execute()
  return {
    secrets: there,
    secretsOfOtherAddress,
    banks: own.map((bank) => ({ ...bank, used: bank.used > 0 || issued.some((one) => one.bank === bank.code) })),
    others: all.filter(({ providerAccountId }) => providerAccountId !== before?.id),
  }
}

/** Whether another connection has the name or code, ignoring case; the code of the demo bank counts as taken. */
export async function isTaken(tx: Tx, column: 'name' | 'code', value: string, id: string) {
  if (column === 'code' && value === sandboxCode) return true
  const existing = await tx
    .selectFrom('providerAccounts')
    .select('id')
    .where((eb) => eb(eb.fn('lower', [column]), '=', value.toLowerCase()))
    .where('id', '!=', id)
    .executeTakeFirst()
  return existing !== undefined
}

export async function writeBanks(tx: Tx, id: string, banks: Content['banks']) {
  const retainedIds = banks.flatMap((bank) => bank.id ?? [])
  await tx
    .deleteFrom('providerBanks')
    .where('providerAccountId', '=', id)
    .$if(retainedIds.length > 0, (q) => q.where('id', 'not in', retainedIds))
    .execute()
  for (const [sortOrder, { id: bankId, ...bank }] of banks.entries())
    if (bankId)
      await tx
        .updateTable('providerBanks')
        .set({ ...bank, sortOrder })
        .where('id', '=', bankId)
        .execute()
    else
      await tx
        .insertInto('providerBanks')
        .values({ ...bank, providerAccountId: id, sortOrder })
        .execute()
}
