import { z } from 'zod'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import type { SnapCase } from './codes.ts'

/** Texts that the standard's examples also write as numbers. */
const wordOrNumber = z.union([z.string(), z.number()]).transform(String)
const channelCode = wordOrNumber.pipe(z.string().max(40)).nullish()

/** Rupiah as the standard writes them: text with two decimals, both zero. */
const money = z.object({
  value: z.string().regex(/^(0|[1-9]\d{0,15})(\.00)?$/),
  currency: z.literal('IDR'),
})

/** The number in three parts; each bank pads them on the left with spaces or zeros in its own way. */
const triple = {
  partnerServiceId: z
    .string()
    .regex(/^[ 0]*\d{1,8}$/)
    .max(8),
  customerNo: wordOrNumber.pipe(
    z
      .string()
      .trim()
      .regex(/^\d{1,20}$/),
  ),
  virtualAccountNo: z
    .string()
    .trim()
    .regex(/^\d{1,28}$/),
}

export const inquiryBody = z.object({
  ...triple,
  inquiryRequestId: wordOrNumber.pipe(z.string().min(1).max(128)),
  channelCode,
})

export const paymentBody = z.object({
  ...triple,
  paymentRequestId: wordOrNumber.pipe(z.string().min(1).max(80)),
  paidAmount: money,
  channelCode,
  trxDateTime: z.string().max(40).nullish(),
  flagAdvise: z.string().nullish(),
})

export const amountText = (rupiah: number) => ({ value: `${rupiah}.00`, currency: 'IDR' })
export const rupiahOf = ({ value }: z.output<typeof money>) => Number.parseInt(value, 10)

type Triple = { partnerServiceId: string; customerNo: string; virtualAccountNo: string }

const withoutZeros = (text: string) => text.replace(/^0+/, '')

/**
 * The number as the portal issued it: the bank's prefix without padding, then the customer's part; undefined if the
 * three parts contradict each other. A bank may pad each part with zeros; the portal stores prefixes without them.
 */
export function numberOf({ partnerServiceId, customerNo, virtualAccountNo }: Triple, prefixes: readonly string[]) {
  const service = partnerServiceId.trim()
  if (!virtualAccountNo.endsWith(customerNo)) return undefined
  const head = virtualAccountNo.slice(0, virtualAccountNo.length - customerNo.length)
  if (withoutZeros(head) !== withoutZeros(service)) return undefined
  const prefix =
    prefixes.find((one) => one === service) ?? prefixes.find((one) => withoutZeros(one) === withoutZeros(service))
  if (prefix !== undefined) return prefix + customerNo
  return head === service ? service + customerNo : undefined
}

/** Prefixes of a connection's numbers. */
export const prefixesOf = (banks: readonly { prefix: string | null }[]) => banks.flatMap(({ prefix }) => prefix ?? [])

/** Removes the characters that the standard forbids in a name. */
export const plainName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9.\-/+,=_:'@% ]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, 255)

type Read<T> = { told: T; json: Record<string, unknown> } | { wrong: SnapCase; more?: string }

/** The parsed body of a call whose signature was checked, or the standard's name for what is wrong. */
export function readBody<S extends z.ZodType>(schema: S, body: Buffer): Read<z.output<S>> {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    return { wrong: 'badRequest' }
  }
  if (issuesOfText(json).length > 0) return { wrong: 'badRequest' }
  const read = schema.safeParse(json)
  if (read.success) return { told: read.data, json: json as Record<string, unknown> }
  const { path } = read.error.issues[0]!
  const value = path.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null ? (part as Record<PropertyKey, unknown>)[key] : undefined,
    json,
  )
  const missing = value === undefined || value === null || value === ''
  return { wrong: missing ? 'missingField' : 'invalidField', more: `{${path.join('.')}}` }
}
