import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { typedLine } from '#entities/define/typed-text.ts'

const voucherUse = z.object({
  id: z.uuid(),
  code: z.string(),
  discount: z.string(),
  kind: z.enum(['percent', 'fixed']),
  /** Percent with up to two decimals, or whole rupiah. */
  value: z.number(),
  /** Kind of bill it reduces. */
  on: z.enum(billKinds),
  /** Rupiah it subtracts from the bill; null if there is no bill yet or another discount is worth more. */
  amount: z.number().int().nullable(),
  /** Whether it can still be removed. */
  removable: z.boolean(),
})
export type VoucherUse = z.output<typeof voucherUse>

const vouchersOfRegistration = z.object({
  registration: z.object({ id: z.uuid(), code: z.string(), applicantName: z.string() }),
  vouchers: z.array(voucherUse),
  bills: z.array(z.object({ kind: z.enum(billKinds), number: z.string(), total: z.number().int(), open: z.boolean() })),
  /** Why no voucher can be entered any more. */
  refusal: z.string().nullable(),
})
export type VouchersOfRegistration = z.output<typeof vouchersOfRegistration>

const answer = z.object({ data: vouchersOfRegistration })

const params = z.object({ id: z.uuid() })

export const listVouchers = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/vouchers',
  access: 'pendaftaran-voucher',
  summary: 'Vouchers entered for a registration, and what they take off',
  params,
  response: answer,
})

export const enterVoucher = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/vouchers',
  access: 'pendaftaran-voucher',
  summary: 'Enter a voucher; entered twice it counts once',
  params,
  body: z.strictObject({ code: typedLine().min(1).max(20) }),
  response: answer,
})

export const removeVoucher = endpoint({
  method: 'DELETE',
  path: '/pendaftaran/:id/vouchers/:useId',
  access: 'pendaftaran-voucher',
  summary: 'Take a voucher out again while nothing was paid with it',
  params: z.object({ id: z.uuid(), useId: z.uuid() }),
  response: answer,
})
