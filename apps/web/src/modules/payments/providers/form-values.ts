import type { ProviderDetail } from '#domain/payments/providers/endpoints.ts'
import {
  amountTypesOf,
  type ProviderBank,
  type ProviderKind,
  type ProviderSecret,
  providerSecrets,
  snapSettings,
  usualAddresses,
  usualMaximumAmount,
} from '#domain/payments/providers/provider-kinds.ts'

export type BankValues = ProviderBank & { id?: string }

export const newBank = (kind: ProviderKind): BankValues => ({
  code: '',
  name: '',
  channel: null,
  prefix: null,
  customerDigits: 10,
  firstNumber: 1,
  lastNumber: null,
  amountType: amountTypesOf[kind][0],
  active: true,
})

export const startOf = (provider: ProviderDetail | undefined) => ({
  kind: provider?.kind ?? ('snap' as ProviderKind),
  code: provider?.code ?? '',
  name: provider?.name ?? '',
  active: provider?.active ?? false,
  baseUrl: provider?.baseUrl ?? '',
  maximumAmount: provider?.maximumAmount ?? usualMaximumAmount,
  snap: provider?.snap ?? snapSettings.parse({}),
  banks: provider?.banks.map(bankValues) ?? [newBank('snap')],
  /** Empty: what is stored stays. */
  secrets: {} as Partial<Record<ProviderSecret, string>>,
})
export type ProviderValues = ReturnType<typeof startOf>

function bankValues({
  used: _used,
  remaining: _remaining,
  low: _low,
  ...bank
}: ProviderDetail['banks'][number]): BankValues {
  return bank
}

/** Another kind begins with its own address, banks and amounts. */
export const withKind = (values: ProviderValues, kind: ProviderKind): ProviderValues => ({
  ...values,
  kind,
  baseUrl: usualAddresses[kind].trial,
  banks: [newBank(kind)],
  secrets: {},
})

/** What is sent: nothing that belongs to another kind, and no secret that was not entered. */
export function bodyOf({ kind, code: _code, snap, secrets, ...content }: ProviderValues) {
  const own: readonly string[] = providerSecrets[kind]
  return {
    ...content,
    snap: kind === 'snap' ? snap : null,
    secrets: Object.fromEntries(
      Object.entries(secrets).filter(([name, value]) => own.includes(name) && value.trim() !== ''),
    ),
  }
}
