import type { ProviderSecret, SnapSettings } from '#domain/payments/providers/provider-kinds.ts'
import type { Bank } from './provider.ts'

/** A connection as a provider uses it. Secrets are decrypted on each use and never cached. */
export type Connection = {
  id: string
  code: string
  /** Without a trailing slash. */
  baseUrl: string
  maximumAmount: number
  settings: SnapSettings
  banks: readonly (Bank & { channel: string | null })[]
  /** Undefined if it was never entered or the installation's key has changed since. */
  secret(name: ProviderSecret): string | undefined
}
