import type { Problem, Problems } from '#domain/endpoint.ts'
import { payWayOf } from '#domain/payments/providers/pay-ways.ts'
import { isSafeAddress } from '#domain/safe-address.ts'
import { amountTypesOf, gatewayBanks, type ProviderKind, providerSecrets } from './provider-kinds.ts'

type Bank = {
  code?: string
  amountType?: string
  prefix?: string | null
  channel?: string | null
  customerDigits?: number
  firstNumber?: number
  lastNumber?: number | null
}
type Content = {
  /** Missing in a change: the kind of a connection is fixed. */
  kind?: ProviderKind
  name?: string
  baseUrl?: string
  snap?: unknown
  secrets?: Record<string, unknown>
  banks?: readonly (Bank | undefined)[]
}

/** Checks a bank connection without the database; the server adds problems that need stored rows. */
export function providerProblems({ kind, name, baseUrl, snap, secrets = {}, banks = [] }: Content): Problems {
  const problems: Problems = {
    name: name === '' ? 'field_required' : null,
    baseUrl: baseUrl && !isSafeAddress(baseUrl) ? 'address_unsafe' : null,
  }
  if (kind && snap !== undefined && (kind === 'snap') !== (snap !== null)) problems.snap = 'invalid_input'
  const own: readonly string[] | undefined = kind && providerSecrets[kind]
  for (const secret of Object.keys(secrets))
    if (own?.includes(secret) === false) problems[`secrets.${secret}`] = 'invalid_input'
  banks.forEach((bank, at) => {
    if (!bank) return
    const others = banks.filter((_, index) => index !== at)
    if (bank.code && others.some((other) => other?.code === bank.code)) problems[`banks.${at}.code`] = 'bank_code_taken'
    for (const [field, problem] of Object.entries({ ...numberProblems(bank), ...(kind && kindProblems(kind, bank)) }))
      problems[`banks.${at}.${field}`] = problem
  })
  return problems
}

function numberProblems({ customerDigits, firstNumber, lastNumber }: Bank): Record<string, Problem | null> {
  const most = customerDigits === undefined ? Number.POSITIVE_INFINITY : 10 ** customerDigits - 1
  return {
    firstNumber: firstNumber !== undefined && firstNumber > most ? 'invalid_input' : null,
    lastNumber:
      typeof lastNumber === 'number' && (lastNumber > most || (firstNumber !== undefined && lastNumber < firstNumber))
        ? 'invalid_input'
        : null,
  }
}

/** SNAP needs the bank's prefix of at most eight digits; a gateway needs one of its channels and no prefix. */
function kindProblems(kind: ProviderKind, { amountType, prefix, channel }: Bank): Record<string, Problem | null> {
  const allowed: readonly (string | undefined)[] = amountTypesOf[kind]
  const channels: readonly { channel: string }[] = kind === 'snap' ? [] : gatewayBanks[kind]
  const isTransfer = payWayOf(channel ?? null) === 'transfer'
  const snapPrefix = !prefix ? 'bank_prefix_needed' : prefix.length > 8 ? 'invalid_input' : null
  return {
    // A code or a link is made for one exact amount.
    amountType:
      amountType !== undefined && (!allowed.includes(amountType) || (!isTransfer && amountType !== 'closed'))
        ? 'invalid_input'
        : null,
    prefix: prefix === undefined ? null : kind === 'snap' ? snapPrefix : prefix ? 'invalid_input' : null,
    channel: kind === 'snap' || channels.some((known) => known.channel === channel) ? null : 'field_required',
  }
}
