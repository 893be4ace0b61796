import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { configuredProviders } from './configured.ts'
import type { Bank, PaymentProvider } from './provider.ts'
import { sandboxBank } from './sandbox/sandbox-bank.ts'

/** Another server's change of the settings is felt after so long at the latest. */
const keptFor = 5_000

type Kept = { until: number; providers: PaymentProvider[] }
const kept = new WeakMap<Services['config'], Kept>()
const loading = new WeakMap<Services['config'], Promise<PaymentProvider[]>>()
const lastKnown = new WeakMap<Services['config'], readonly PaymentProvider[]>()

/**
 * Every bank and gateway there is: those of the settings, the ones that are switched off too, and the demo bank. A
 * transaction reads them on its own connection: were it to wait for another one, many of them would wait for each other.
 */
export async function providersOf(services: Services, db: Db = services.db): Promise<PaymentProvider[]> {
  const { config } = services
  const found = kept.get(config)
  if (found && found.until > Date.now()) return found.providers
  if (db.isTransaction) return load(services, db)
  const begun = loading.get(config)
  if (begun) return begun
  // What was read before the settings changed is not kept; `forgetProviders` has taken it out of `loading`.
  const isMine = () => loading.get(config) === mine
  const mine: Promise<PaymentProvider[]> = load(services, db)
    .then((providers) => {
      if (isMine()) kept.set(config, { until: Date.now() + keptFor, providers })
      return providers
    })
    .finally(() => isMine() && loading.delete(config))
  loading.set(config, mine)
  return mine
}

async function load(services: Services, db: Db) {
  const configured = await configuredProviders(services, db)
  const demo = sandboxBank(services)
  const providers = demo ? [...configured, demo] : configured
  lastKnown.set(services.config, providers)
  return providers
}

/** The settings changed: they are read anew at once. */
export function forgetProviders({ config }: Services) {
  kept.delete(config)
  loading.delete(config)
}

export const findProvider = async (services: Services, code: string, db?: Db) =>
  (await providersOf(services, db)).find((provider) => provider.code === code)

type BankOfProvider = Bank & { provider: PaymentProvider }
const banksIn = (providers: readonly PaymentProvider[]): BankOfProvider[] =>
  providers.flatMap((provider) => provider.banks.map((bank) => ({ ...bank, provider })))

/** Every bank that gives numbers or gave some. */
export const allBanks = async (services: Services, db?: Db) => banksIn(await providersOf(services, db))

/** Banks at which new numbers are given. The demo bank makes room as soon as there is a real one. */
export async function banksOf(services: Services): Promise<BankOfProvider[]> {
  const offered = (await allBanks(services)).filter((bank) => bank.offered)
  const real = offered.filter((bank) => !bank.provider.demo)
  return real.length > 0 ? real : offered
}

const bankLastKnown = ({ config }: Services, code: string) =>
  banksIn(lastKnown.get(config) ?? []).find((bank) => bank.code === code)

/** A bank that is no longer there still has old numbers: then its code has to do. */
export const bankName = (services: Services, code: string) => bankLastKnown(services, code)?.name ?? code

export const isDemoBank = (services: Services, code: string) => bankLastKnown(services, code)?.provider.demo ?? false
