import type { ProviderSecret, SnapSettings } from '#domain/payments/providers/provider-kinds.ts'
import type { Bank } from './provider.ts'

/** A connection as a provider works with it: its secrets are opened when they are needed, and kept nowhere. */
export type Connection = {
  id: string
  code: string
  /** Without a slash at its end. */
  baseUrl: string
  maximumAmount: number
  settings: SnapSettings
  banks: readonly (Bank & { channel: string | null })[]
  /** Nothing when it was never entered, or when the installation's key is another one by now. */
  secret(name: ProviderSecret): string | undefined
}
