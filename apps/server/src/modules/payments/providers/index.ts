import type { Services } from '#server/platform/services.ts'
import type { Bank, PaymentProvider } from './provider.ts'
import { sandboxBank } from './sandbox/sandbox-bank.ts'

/** One line per bank or gateway; each decides from the settings whether it is on. */
const known: readonly ((services: Services) => PaymentProvider | null)[] = [sandboxBank]

export const providersOf = (services: Services): PaymentProvider[] =>
  known.map((make) => make(services)).filter((provider) => provider !== null)

export const findProvider = (services: Services, code: string) =>
  providersOf(services).find((provider) => provider.code === code)

export const banksOf = (services: Services): (Bank & { provider: PaymentProvider })[] =>
  providersOf(services).flatMap((provider) => provider.banks.map((bank) => ({ ...bank, provider })))

export const findBank = (services: Services, code: string) => banksOf(services).find((bank) => bank.code === code)

/** A bank that is no longer offered still has old numbers: then its code has to do. */
export const bankName = (services: Services, code: string) => findBank(services, code)?.name ?? code
