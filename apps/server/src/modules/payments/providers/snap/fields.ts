import { z } from 'zod'
import { issuesOfText } from '#server/platform/unreadable-text.ts'
import type { SnapCase } from './codes.ts'

/** Texts that worked examples also show as numbers. */
const wordOrNumber = z.union([z.string(), z.number()]).transform(String)

/** Rupiah as the standard writes it: a text with two decimals, which are zeros. */
const money = z.object({
  value: z.string().regex(/^(0|[1-9]\d{0,15})(\.00)?$/),
  currency: z.literal('IDR'),
})

/** The number in three parts, padded with spaces or zeros on the left as each bank likes. */
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
  channelCode: wordOrNumber.nullish(),
})

export const paymentBody = z.object({
  ...triple,
  paymentRequestId: wordOrNumber.pipe(z.string().min(1).max(80)),
  paidAmount: money,
  channelCode: wordOrNumber.nullish(),
  trxDateTime: z.string().max(40).nullish(),
  flagAdvise: z.string().nullish(),
})

export const amountText = (rupiah: number) => ({ value: `${rupiah}.00`, currency: 'IDR' })
export const rupiahOf = ({ value }: z.output<typeof money>) => Number.parseInt(value, 10)

/** The number as we give it: the bank's prefix without its padding, then the customer's part. */
export function numberOf(told: { partnerServiceId: string; customerNo: string; virtualAccountNo: string }) {
  const parts = told.partnerServiceId.trim() + told.customerNo
  return parts === told.virtualAccountNo ? parts : undefined
}

/** What the standard lets stand in a name. */
export const plainName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9.\-/+,=_:'@% ]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, 255)

type Read<T> = { told: T; json: Record<string, unknown> } | { wrong: SnapCase; more?: string }

/** A body whose signature was checked, or what is wrong with it in the standard's words. */
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
