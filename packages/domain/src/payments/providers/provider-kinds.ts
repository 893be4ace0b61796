import { z } from 'zod'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { type AmountType, amountTypes } from './amount-types.ts'

/** Protocol of a bank connection: the national standard (SNAP), or a gateway. */
export const providerKinds = ['snap', 'midtrans', 'xendit'] as const
export type ProviderKind = (typeof providerKinds)[number]

/** `biller`: the bank asks us about every number. `create`: we tell the bank each number first. */
export const snapModes = ['biller', 'create'] as const
/** How the bank signs its calls: with the secret we issued, or with its own private key. */
export const snapSignatures = ['symmetric', 'asymmetric'] as const
/**
 * Part of a body a signature covers: the bytes, the JSON without spaces between its tokens, or without any space. The
 * standard signs minified JSON, so `as_sent` also accepts that form.
 */
export const bodyForms = ['as_sent', 'minified', 'no_whitespace'] as const
export type BodyForm = (typeof bodyForms)[number]
/** What happens to a payment that fits no bill: it is booked and waits for staff, or the bank returns it. */
export const unfittingRules = ['keep', 'refuse'] as const

/** Most rupiah of a payment that a connection books without two people, unless configured otherwise. */
export const usualMaximumAmount = 1_000_000_000
/** Most rupiah of a payment the books accept: sums of thousands of them stay below 2^53. */
export const highestAmount = 1_000_000_000_000

const word = (max: number) => typedLine().max(max)
const path = typedLine()
  .max(100)
  .regex(/^(\/[\w.~-]+)*$/)

/** SNAP settings besides address and keys. Empty strings are values the bank has not supplied yet. */
export const snapSettings = z.strictObject({
  mode: z.enum(snapModes).default('biller'),
  /** X-CLIENT-KEY the bank sends when it requests a token. */
  inboundClientKey: word(100).default(''),
  /** X-PARTNER-ID the bank sends; empty for any. */
  inboundPartnerId: word(36).default(''),
  /** CHANNEL-ID the bank sends; empty for any. */
  inboundChannelId: word(5).default(''),
  inboundSignature: z.enum(snapSignatures).default('symmetric'),
  /** PEM key to check the bank's own signatures. */
  bankPublicKey: typedText().max(4000).default(''),
  /** Whether the bank signs the whole path it calls, or only the part after our prefix. */
  signedPath: z.enum(['full', 'short']).default('full'),
  bodyForm: z.enum(bodyForms).default('minified'),
  /** Most minutes by which the bank's clock may differ from ours. */
  clockMinutes: z.int().min(1).max(60).default(5),
  unfitting: z.enum(unfittingRules).default('keep'),
  /** X-CLIENT-KEY, X-PARTNER-ID and CHANNEL-ID of our calls to the bank. */
  clientKey: word(100).default(''),
  partnerId: word(36).default(''),
  channelId: word(5).default(''),
  tokenPath: path.default('/v1.0/access-token/b2b'),
  servicePath: path.default('/v1.0/transfer-va'),
  statusName: z.enum(['status', 'inquiry-status']).default('status'),
  deleteMethod: z.enum(['DELETE', 'POST']).default('DELETE'),
})
export type SnapSettings = z.output<typeof snapSettings>

const noSettings = z.strictObject({})
export const providerSettings = { snap: snapSettings, midtrans: noSettings, xendit: noSettings } as const

/** Secrets of a connection, never shown. `generated` ones are made here for the bank. */
export const providerSecrets = {
  snap: ['inboundSecret', 'clientSecret', 'privateKey'],
  midtrans: ['serverKey'],
  xendit: ['secretKey', 'callbackToken'],
} as const satisfies Record<ProviderKind, readonly string[]>
export type ProviderSecret = (typeof providerSecrets)[ProviderKind][number]
export const secretNames = [...new Set(Object.values(providerSecrets).flat())] as [ProviderSecret, ...ProviderSecret[]]

/** Amount types a kind supports; the first is the default. */
export const amountTypesOf: Record<ProviderKind, readonly [AmountType, ...AmountType[]]> = {
  snap: ['partial', 'closed', 'open'],
  midtrans: ['closed'],
  xendit: ['closed', 'open'],
}

/** Banks behind a gateway by the gateway's own codes; a SNAP connection has one bank, whose name is entered. */
export const gatewayBanks: Record<Exclude<ProviderKind, 'snap'>, readonly { channel: string; name: string }[]> = {
  midtrans: [
    { channel: 'bca', name: 'BCA' },
    { channel: 'bni', name: 'BNI' },
    { channel: 'bri', name: 'BRI' },
    { channel: 'cimb', name: 'CIMB Niaga' },
    { channel: 'permata', name: 'Bank Permata' },
    { channel: 'qris', name: 'QRIS' },
    { channel: 'gopay', name: 'GoPay' },
    { channel: 'shopeepay', name: 'ShopeePay' },
  ],
  xendit: [
    { channel: 'BCA', name: 'BCA' },
    { channel: 'BNI', name: 'BNI' },
    { channel: 'BRI', name: 'BRI' },
    { channel: 'MANDIRI', name: 'Bank Mandiri' },
    { channel: 'PERMATA', name: 'Bank Permata' },
    { channel: 'BSI', name: 'Bank Syariah Indonesia' },
    { channel: 'CIMB', name: 'CIMB Niaga' },
    { channel: 'QRIS', name: 'QRIS' },
    { channel: 'ID_DANA', name: 'DANA' },
    { channel: 'ID_SHOPEEPAY', name: 'ShopeePay' },
    { channel: 'ID_LINKAJA', name: 'LinkAja' },
  ],
}

export const usualAddresses: Record<ProviderKind, { real: string; trial: string }> = {
  snap: { real: '', trial: '' },
  midtrans: { real: 'https://api.midtrans.com', trial: 'https://api.sandbox.midtrans.com' },
  xendit: { real: 'https://api.xendit.co', trial: 'https://api.xendit.co' },
}

/** Code of a connection or bank: used in addresses and in every number, so lower-case letters, digits and hyphens. */
export const providerCode = typedText().regex(/^[a-z][a-z0-9-]{1,19}$/)

export const providerBank = z.strictObject({
  code: providerCode,
  name: word(60).min(1),
  channel: word(30).nullable(),
  prefix: typedText()
    .regex(/^\d{1,12}$/)
    .nullable(),
  customerDigits: z.int().min(4).max(15),
  firstNumber: z.int().min(1),
  lastNumber: z.int().min(1).nullable(),
  amountType: z.enum(amountTypes),
  active: z.boolean(),
})
export type ProviderBank = z.output<typeof providerBank>
