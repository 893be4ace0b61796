import type { Services } from '#server/platform/services.ts'
import { configuredProviders } from './configured.ts'
import type { Bank, PaymentProvider } from './provider.ts'
import { sandboxBank } from './sandbox/sandbox-bank.ts'

/** Another server's change of the settings is felt after so long at the latest. */
const keptFor = 5_000

type Kept = { until: number; providers: Promise<PaymentProvider[]> }
const kept = new WeakMap<Services['config'], Kept>()
const lastKnown = new WeakMap<Services['config'], readonly PaymentProvider[]>()

/** Every bank and gateway there is: those of the settings, the ones that are switched off too, and the demo bank. */
export function providersOf(services: Services): Promise<PaymentProvider[]> {
  const found = kept.get(services.config)
  if (found && found.until > Date.now()) return found.providers
  const providers = load(services)
  kept.set(services.config, { until: Date.now() + keptFor, providers })
  providers.catch(() => kept.delete(services.config))
  return providers
}

async function load(services: Services) {
  const configured = await configuredProviders(services)
  const demo = sandboxBank(services)
  const providers = demo ? [...configured, demo] : configured
  lastKnown.set(services.config, providers)
  return providers
}

/** The settings changed: they are read anew at once. */
export const forgetProviders = ({ config }: Services) => kept.delete(config)

export const findProvider = async (services: Services, code: string) =>
  (await providersOf(services)).find((provider) => provider.code === code)

type BankOfProvider = Bank & { provider: PaymentProvider }
const banksIn = (providers: readonly PaymentProvider[]): BankOfProvider[] =>
  providers.flatMap((provider) => provider.banks.map((bank) => ({ ...bank, provider })))

/** Every bank that gives numbers or gave some. */
export const allBanks = async (services: Services) => banksIn(await providersOf(services))

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
