import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'

const idParams = z.object({ id: z.uuid() })

export const paymentLink = z.object({
  id: z.uuid(),
  billId: z.uuid(),
  /** Null for everyone but the applicant: who has the address can pay without an account. */
  url: z.string().nullable(),
  createdAt: time,
  openedAt: time.nullable(),
  lastOpenedAt: time.nullable(),
  visits: z.int(),
})
export type PaymentLink = z.output<typeof paymentLink>

export const listPaymentLinks = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/payment-links',
  access: 'pendaftaran-view',
  summary: 'Valid payment links of a registration’s bills, and when they were opened',
  params: idParams,
  response: z.object({ data: z.array(paymentLink) }),
})

/** The answer has no address, because answers of writes are stored under their idempotency key. */
export const sharePayment = endpoint({
  method: 'POST',
  path: '/bills/:id/payment-link',
  access: 'pendaftaran-edit',
  summary: 'Make a link by which somebody without an account pays the bill; the valid one is kept',
  params: idParams,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const takeBackPaymentLink = endpoint({
  method: 'POST',
  path: '/payment-links/:id/take-back',
  access: 'pendaftaran-edit',
  summary: 'End a payment link; a new one has another address',
  params: idParams,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
