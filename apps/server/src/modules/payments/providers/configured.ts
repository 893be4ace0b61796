import type { Selectable } from 'kysely'
import { payWayOf } from '#domain/payments/providers/pay-ways.ts'
import {
  type ProviderKind,
  type ProviderSecret,
  providerSettings,
  type SnapSettings,
} from '#domain/payments/providers/provider-kinds.ts'
import { openText, sealText } from '#server/platform/access/secret-box.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { Connection } from './connection.ts'
import { midtransGateway } from './midtrans/midtrans.ts'
import type { PaymentProvider } from './provider.ts'
import { snapBank } from './snap/snap-bank.ts'
import { xenditGateway } from './xendit/xendit.ts'

export type ProviderAccount = Selectable<Database['providerAccounts']>
type BankRow = Selectable<Database['providerBanks']>

const makers: Record<ProviderKind, (services: Services, connection: Connection) => PaymentProvider> = {
  snap: snapBank,
  midtrans: midtransGateway,
  xendit: xenditGateway,
}

export const secretPurpose = (accountId: string, name: ProviderSecret) => `provider ${name} ${accountId}`

export const sealSecret = ({ config }: Services, accountId: string, name: ProviderSecret, text: string) =>
  sealText(config.secretKey, secretPurpose(accountId, name), text)

/** The provider for a connection, whether stored or only requested. */
export const connect = (services: Services, kind: ProviderKind, connection: Connection): PaymentProvider =>
  makers[kind](services, connection)

type BankFields = Omit<BankRow, 'id' | 'providerAccountId' | 'sortOrder'>

export const bankOf = (row: BankFields, active: boolean) => ({
  code: row.code,
  name: row.name,
  prefix: row.prefix,
  digits: row.customerDigits,
  first: row.firstNumber,
  last: row.lastNumber ?? 10 ** row.customerDigits - 1,
  amountType: row.amountType,
  offered: active && row.active,
  channel: row.channel,
  way: payWayOf(row.channel),
})

/**
 * Every connection of the settings as a provider, including inactive ones, because their old numbers may still be paid.
 */
export async function configuredProviders(services: Services, db: Db): Promise<PaymentProvider[]> {
  const { config } = services
  const accounts = await db.selectFrom('providerAccounts').selectAll().orderBy('name').orderBy('id').execute()
  if (accounts.length === 0) return []
  const [banks, secrets] = await Promise.all([
    db.selectFrom('providerBanks').selectAll().orderBy('sortOrder').orderBy('code').execute(),
    db.selectFrom('providerSecrets').select(['providerAccountId', 'name', 'sealed']).execute(),
  ])
  return accounts.map((account) =>
    makers[account.kind](services, {
      id: account.id,
      code: account.code,
      baseUrl: account.baseUrl.replace(/\/+$/, ''),
      maximumAmount: account.maximumAmount,
      settings: providerSettings[account.kind].parse(account.settings) as SnapSettings,
      banks: banks.filter((bank) => bank.providerAccountId === account.id).map((bank) => bankOf(bank, account.active)),
      secret(name) {
        const found = secrets.find((one) => one.providerAccountId === account.id && one.name === name)
        return found && openText(config.secretKey, secretPurpose(account.id, name), found.sealed)
      },
    }),
  )
}
