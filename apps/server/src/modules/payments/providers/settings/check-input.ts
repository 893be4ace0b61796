import crypto from 'node:crypto'
import { foundProblems } from '#domain/body-check.ts'
import type { NewProvider } from '#domain/payments/providers/endpoints.ts'
import { type ProviderKind, type ProviderSecret, providerSecrets } from '#domain/payments/providers/provider-kinds.ts'
import { providerProblems } from '#domain/payments/providers/provider-problems.ts'
import { sandboxBanks } from '#domain/payments/providers/sandbox-banks.ts'
import type { FieldError, FieldErrors } from '#server/platform/errors.ts'

export type Content = Omit<NewProvider, 'code' | 'kind' | 'reason'>
type Bank = Content['banks'][number]

function isKey(pem: string, read: (pem: string) => unknown) {
  try {
    read(pem)
    return true
  } catch {
    return false
  }
}

type Stored = {
  /** Secrets the connection has after the change. */
  secrets: ReadonlySet<ProviderSecret>
  /** If the change has a new address: secrets entered for the earlier one. */
  secretsOfOtherAddress: readonly ProviderSecret[]
  /** Stored banks, each with whether it has issued numbers. */
  banks: readonly (Pick<Bank, 'code' | 'channel' | 'prefix' | 'customerDigits' | 'firstNumber' | 'name'> & {
    id: string
    used: boolean
  })[]
  /** Banks of all other connections. */
  others: readonly { code: string; prefix: string | null }[]
}

/** Every error of an entered connection, by field. */
export function problemsOf(kind: ProviderKind, content: Content, stored: Stored): FieldErrors {
  const { active, snap, banks, secrets } = content
  const problems = foundProblems(providerProblems({ ...content, kind }))
  for (const secret of stored.secretsOfOtherAddress)
    if (secrets[secret] === undefined) problems[`secrets.${secret}`] = 'provider_secret_again'
  if (secrets.privateKey && !isKey(secrets.privateKey, crypto.createPrivateKey))
    problems['secrets.privateKey'] = 'key_unusable'
  if (snap?.bankPublicKey && !isKey(snap.bankPublicKey, crypto.createPublicKey))
    problems['snap.bankPublicKey'] = 'key_unusable'
  banks.forEach((bank, at) => {
    for (const [field, problem] of Object.entries(problemsOfBank(kind, bank, at, content, stored)))
      problems[`banks.${at}.${field}`] = problem
  })
  for (const bank of stored.banks)
    if (bank.used && !banks.some(({ id }) => id === bank.id))
      problems.banks = { code: 'bank_in_use', params: { bank: bank.name } }
  if (active) for (const field of missing(kind, content, stored.secrets)) problems[field] ??= 'provider_incomplete'
  return problems
}

function problemsOfBank(kind: ProviderKind, bank: Bank, at: number, { banks }: Content, stored: Stored) {
  const problems: Record<string, FieldError> = {}
  const before = stored.banks.find(({ id }) => id === bank.id)
  if (bank.id && !before) problems.code = 'invalid_input'
  const others = [...stored.others, ...sandboxBanks, ...banks.filter((_, index) => index !== at)]
  if (others.some(({ code }) => code === bank.code)) problems.code = 'bank_code_taken'
  const { prefix } = bank
  if (
    kind === 'snap' &&
    prefix &&
    prefix.length <= 8 &&
    others.some((other) => other.prefix && (other.prefix.startsWith(prefix) || prefix.startsWith(other.prefix)))
  )
    problems.prefix = 'bank_prefix_taken'
  if (before?.used)
    for (const field of ['code', 'channel', 'prefix', 'customerDigits', 'firstNumber'] as const)
      if (bank[field] !== before[field]) problems[field] = { code: 'bank_in_use', params: { bank: before.name } }
  return problems
}

/** Required fields that an active connection lacks. */
function missing(kind: ProviderKind, { baseUrl, snap, banks }: Content, secrets: ReadonlySet<ProviderSecret>) {
  const without = (names: readonly ProviderSecret[]) =>
    names.filter((name) => !secrets.has(name)).map((name) => `secrets.${name}`)
  const fields = banks.length === 0 ? ['banks'] : []
  if (kind !== 'snap' || !snap) return [...fields, ...(baseUrl ? [] : ['baseUrl']), ...without(providerSecrets[kind])]
  const words = (names: readonly (keyof typeof snap)[]) =>
    names.filter((name) => snap[name] === '').map((name) => `snap.${name}`)
  if (snap.inboundSignature === 'symmetric')
    fields.push(...words(['inboundClientKey', 'bankPublicKey']), ...without(['inboundSecret']))
  else fields.push(...words(['bankPublicKey']))
  if (snap.mode === 'create' || snap.clientKey)
    fields.push(
      ...(baseUrl ? [] : ['baseUrl']),
      ...words(['clientKey', 'partnerId', 'channelId']),
      ...without(['clientSecret', 'privateKey']),
    )
  return fields
}
