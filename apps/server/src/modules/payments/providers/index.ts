import type { PayWay } from '#domain/payments/providers/pay-ways.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { configuredProviders } from './configured.ts'
import type { Bank, PaymentProvider } from './provider.ts'
import { sandboxBank } from './sandbox/sandbox-bank.ts'

/** Milliseconds until a server uses settings changed on another server. */
const cacheMs = 5_000

type Cached = { until: number; providers: PaymentProvider[] }
const cache = new WeakMap<Services['config'], Cached>()
const loading = new WeakMap<Services['config'], Promise<PaymentProvider[]>>()
const lastKnown = new WeakMap<Services['config'], readonly PaymentProvider[]>()

/**
 * Every bank and gateway of the settings, including inactive ones, and the demo bank. A transaction passes its own
 * connection: if it waited for a second connection of the pool, many transactions could block each other.
 */
export async function providersOf(services: Services, db: Db = services.db): Promise<PaymentProvider[]> {
  const { config } = services
  const found = cache.get(config)
  if (found && found.until > Date.now()) return found.providers
  if (db.isTransaction) return load(services, db)
  const pendingLoad = loading.get(config)
  if (pendingLoad) return pendingLoad
  // Settings read before a change are not cached; `forgetProviders` has removed this read from `loading`.
  const isCurrent = () => loading.get(config) === thisLoad
  const thisLoad: Promise<PaymentProvider[]> = load(services, db)
    .then((providers) => {
      if (isCurrent()) cache.set(config, { until: Date.now() + cacheMs, providers })
      return providers
    })
    .finally(() => isCurrent() && loading.delete(config))
  loading.set(config, thisLoad)
  return thisLoad
}

async function load(services: Services, db: Db) {
  const configured = await configuredProviders(services, db)
  const demo = sandboxBank(services)
  const providers = demo ? [...configured, demo] : configured
  lastKnown.set(services.config, providers)
  return providers
}

/** Drops the cached settings, so the next read sees their change. */
export function forgetProviders({ config }: Services) {
  cache.delete(config)
  loading.delete(config)
}

export const findProvider = async (services: Services, code: string, db?: Db) =>
  (await providersOf(services, db)).find((provider) => provider.code === code)

type BankOfProvider = Bank & { provider: PaymentProvider }
const banksIn = (providers: readonly PaymentProvider[]): BankOfProvider[] =>
  providers.flatMap((provider) => provider.banks.map((bank) => ({ ...bank, provider })))

/** Every bank that issues numbers or has issued any. */
export const allBanks = async (services: Services, db?: Db) => banksIn(await providersOf(services, db))

/** Banks that issue new numbers. The demo bank is left out once a real bank exists. */
export async function banksOf(services: Services): Promise<BankOfProvider[]> {
  const offered = (await allBanks(services)).filter((bank) => bank.offered)
  const real = offered.filter((bank) => !bank.provider.demo)
  return real.length > 0 ? real : offered
}

/** What payers choose from: codes and wallets first, because they are paid on the phone in the hand. */
export const choicesAmong = (banks: readonly BankOfProvider[]) =>
  banks
    .map(({ code, name, provider, way = 'transfer' }) => ({ code, name, demo: provider.demo, way }))
    .sort((one, other) => payWayOrder.indexOf(one.way) - payWayOrder.indexOf(other.way))
const payWayOrder: readonly PayWay[] = ['qris', 'wallet', 'transfer']

const bankLastKnown = ({ config }: Services, code: string) =>
  banksIn(lastKnown.get(config) ?? []).find((bank) => bank.code === code)

/** The name of a bank; its code if the bank was removed from the settings, because old numbers still name it. */
export const bankName = (services: Services, code: string) => bankLastKnown(services, code)?.name ?? code

export const isDemoBank = (services: Services, code: string) => bankLastKnown(services, code)?.provider.demo ?? false
