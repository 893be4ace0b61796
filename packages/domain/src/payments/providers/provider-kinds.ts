import { z } from 'zod'
import { type AmountType, amountTypes } from './amount-types.ts'

/** How the university is connected to a bank: by the national standard, or through a gateway. */
export const providerKinds = ['snap', 'midtrans', 'xendit'] as const
export type ProviderKind = (typeof providerKinds)[number]

/** `biller`: the bank asks us about every number. `create`: each number is made known to the bank first. */
export const snapModes = ['biller', 'create'] as const
/** How the bank signs what it sends to us: with the secret we gave it, or with its own private key. */
export const snapSignatures = ['symmetric', 'asymmetric'] as const
/**
 * What of a body a signature covers: the bytes, the JSON without the spaces between its parts, or without any space. The
 * standard signs the minified JSON, so `as_sent` takes that form as well.
 */
export const bodyForms = ['as_sent', 'minified', 'no_whitespace'] as const
export type BodyForm = (typeof bodyForms)[number]
/** What becomes of a payment that fits nothing: it is kept and waits for a person, or the bank gives it back. */
export const unfittingRules = ['keep', 'refuse'] as const

/** Most rupiah of one payment that a connection books by itself, unless it says otherwise. */
export const usualMaximumAmount = 1_000_000_000
/** Most rupiah of one payment that the books take at all: sums of thousands of them stay below 2^53. */
export const highestAmount = 1_000_000_000_000

const word = (max: number) => z.string().trim().max(max)
const path = z
  .string()
  .trim()
  .max(100)
  .regex(/^(\/[\w.~-]+)*$/)

/** What SNAP needs besides address and keys. Empty words are those the bank has not told yet. */
export const snapSettings = z.strictObject({
  mode: z.enum(snapModes).default('biller'),
  /** X-CLIENT-KEY with which the bank asks us for a token. */
  inboundClientKey: word(100).default(''),
  /** X-PARTNER-ID the bank sends; empty for any. */
  inboundPartnerId: word(36).default(''),
  /** CHANNEL-ID the bank sends; empty for any. */
  inboundChannelId: word(5).default(''),
  inboundSignature: z.enum(snapSignatures).default('symmetric'),
  /** PEM with which the bank's own signatures are checked. */
  bankPublicKey: word(4000).default(''),
  /** Whether the bank signs the whole path it calls, or only what stands behind our prefix. */
  signedPath: z.enum(['full', 'short']).default('full'),
  bodyForm: z.enum(bodyForms).default('minified'),
  /** Minutes by which the bank's clock may differ from ours. */
  clockMinutes: z.int().min(1).max(60).default(5),
  unfitting: z.enum(unfittingRules).default('keep'),
  /** X-CLIENT-KEY, X-PARTNER-ID and CHANNEL-ID with which we call the bank. */
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

/** What of a connection nobody may read. `generated` are made here, for the bank to be given. */
export const providerSecrets = {
  snap: ['inboundSecret', 'clientSecret', 'privateKey'],
  midtrans: ['serverKey'],
  xendit: ['secretKey', 'callbackToken'],
} as const satisfies Record<ProviderKind, readonly string[]>
export type ProviderSecret = (typeof providerSecrets)[ProviderKind][number]
export const secretNames = [...new Set(Object.values(providerSecrets).flat())] as [ProviderSecret, ...ProviderSecret[]]

/** Amounts a kind can be asked for; the first is what it does best. */
export const amountTypesOf: Record<ProviderKind, readonly [AmountType, ...AmountType[]]> = {
  snap: ['partial', 'closed', 'open'],
  midtrans: ['closed'],
  xendit: ['closed', 'open'],
}

/** Banks behind a gateway by the gateway's own words; with SNAP there is one bank, whose name is entered. */
export const gatewayBanks: Record<Exclude<ProviderKind, 'snap'>, readonly { channel: string; name: string }[]> = {
  midtrans: [
    { channel: 'bca', name: 'BCA' },
    { channel: 'bni', name: 'BNI' },
    { channel: 'bri', name: 'BRI' },
    { channel: 'cimb', name: 'CIMB Niaga' },
    { channel: 'permata', name: 'Bank Permata' },
  ],
  xendit: [
    { channel: 'BCA', name: 'BCA' },
    { channel: 'BNI', name: 'BNI' },
    { channel: 'BRI', name: 'BRI' },
    { channel: 'MANDIRI', name: 'Bank Mandiri' },
    { channel: 'PERMATA', name: 'Bank Permata' },
    { channel: 'BSI', name: 'Bank Syariah Indonesia' },
    { channel: 'CIMB', name: 'CIMB Niaga' },
  ],
}

export const usualAddresses: Record<ProviderKind, { real: string; trial: string }> = {
  snap: { real: '', trial: '' },
  midtrans: { real: 'https://api.midtrans.com', trial: 'https://api.sandbox.midtrans.com' },
  xendit: { real: 'https://api.xendit.co', trial: 'https://api.xendit.co' },
}

/** A code of a connection or a bank: part of addresses and of every number, so small letters, digits and hyphens. */
export const providerCode = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{1,19}$/)

export const providerBank = z.strictObject({
  code: providerCode,
  name: word(60).min(1),
  channel: word(30).nullable(),
  prefix: z
    .string()
    .trim()
    .regex(/^\d{1,12}$/)
    .nullable(),
  customerDigits: z.int().min(4).max(15),
  firstNumber: z.int().min(1),
  lastNumber: z.int().min(1).nullable(),
  amountType: z.enum(amountTypes),
  active: z.boolean(),
})
export type ProviderBank = z.output<typeof providerBank>
