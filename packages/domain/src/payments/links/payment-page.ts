import { z } from 'zod'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { bankChoice } from '#domain/payments/bills/endpoints.ts'
import { payWays } from '#domain/payments/providers/pay-ways.ts'

const rupiah = z.int()

/** Why a link shows no bill. */
export const linkEnds = ['broken', 'taken_back', 'replaced', 'expired', 'cancelled'] as const
export type LinkEnd = (typeof linkEnds)[number]

const transferNumber = z.object({
  bank: z.string(),
  bankName: z.string(),
  demo: z.boolean(),
  /** Null until the bank has answered. */
  number: z.string().nullable(),
  amount: rupiah,
  expiresAt: z.date(),
  way: z.enum(payWays),
  payUrl: z.string().nullable(),
  /** QRIS code, or one that opens the demo bank. */
  qr: z.object({ size: z.int(), path: z.string() }).nullable(),
})

/**
 * All that a payment link shows. The page is drawn from the parsed value, so a field that is not declared here never
 * leaves.
 */
export const paymentPage = z.object({
  university: z.object({ name: z.string(), phone: z.string(), email: z.string(), logo: z.string().nullable() }),
  initials: z.string(),
  programme: z.string().nullable(),
  kind: z.enum(billKinds),
  /** Next amount to pay; null if nothing is owed. */
  owed: z
    .object({
      amount: rupiah,
      dueAt: z.date().nullable(),
      overdue: z.boolean(),
      instalment: z.object({ position: z.int(), count: z.int() }).nullable(),
    })
    .nullable(),
  paid: rupiah,
  /** Rupiah of payments on this bill that wait for the finance office. */
  waiting: rupiah,
  number: transferNumber.nullable(),
  numberExpired: z.boolean(),
  banks: z.array(bankChoice),
  receipts: z.array(z.object({ paymentId: z.uuid(), number: z.string(), amount: rupiah, paidAt: z.date() })),
})
export type PaymentPage = z.output<typeof paymentPage>
