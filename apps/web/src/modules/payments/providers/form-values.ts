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
import type { Bindings } from '#web/api/use-form.ts'

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
  active: provider?.active ?? true,
  baseUrl: provider?.baseUrl ?? '',
  maximumAmount: provider?.maximumAmount ?? usualMaximumAmount,
  snap: provider?.snap ?? snapSettings.parse({}),
  banks: provider?.banks.map(bankValues) ?? [newBank('snap')],
  /** New secrets; a missing one keeps the stored secret. */
  secrets: {} as Partial<Record<ProviderSecret, string>>,
  reason: '',
})
type ProviderValues = ReturnType<typeof startOf>
/** State of the form, with the sentences and limits of nested fields. */
export type ProviderBindings = Bindings<ProviderValues>

function bankValues({
  used: _used,
  remaining: _remaining,
  low: _low,
  ...bank
}: ProviderDetail['banks'][number]): BankValues {
  return bank
}

/** Switches the kind and resets address, banks and amounts to its defaults. */
export const withKind = (values: ProviderValues, kind: ProviderKind): ProviderValues => ({
  ...values,
  kind,
  baseUrl: usualAddresses[kind].trial,
  banks: [newBank(kind)],
  secrets: {},
})

/** Body of the request, without other kinds' fields and empty secrets. */
export function bodyOf({ kind, code: _code, snap, secrets, reason, ...content }: ProviderValues) {
  const kindSecrets: readonly string[] = providerSecrets[kind]
  return {
    ...content,
    snap: kind === 'snap' ? snap : null,
    secrets: Object.fromEntries(
      Object.entries(secrets).filter(([name, value]) => kindSecrets.includes(name) && value.trim() !== ''),
    ),
    ...(reason.trim() && { reason: reason.trim() }),
  }
}
