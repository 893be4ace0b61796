import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { virtualAccountStatuses } from '#domain/payments/bills/virtual-account-status.ts'
import { time } from '#entities/define/answer-time.ts'

const rupiah = z.number().int()

const idParams = z.object({ id: z.uuid() })

/** Asks the bank directly about a payment that was made but never reported. */
export const checkVirtualAccount = endpoint({
  method: 'POST',
  path: '/virtual-accounts/:id/check',
  access: 'pendaftaran-view',
  summary: 'Ask the bank whether this number was paid',
  params: idParams,
  response: z.object({ data: z.object({ found: z.number().int() }) }),
})

export const receiveBankReport = endpoint({
  method: 'POST',
  path: '/providers/:provider/report',
  access: 'public',
  summary: 'Payment report of a bank, signed by the bank',
  params: z.object({ provider: z.string().max(20) }),
  response: z.any(),
})

export const sandboxAccount = z.object({
  number: z.string(),
  bankName: z.string(),
  payerName: z.string(),
  description: z.string(),
  amount: rupiah,
  status: z.enum(virtualAccountStatuses),
  expiresAt: time,
  transactions: z.array(
    z.object({ reference: z.string(), amount: rupiah, channel: z.string(), paidAt: time, reports: z.number().int() }),
  ),
})
export type SandboxAccount = z.output<typeof sandboxAccount>

const numberParams = z.object({ number: z.string().regex(/^\d{6,28}$/) })

export const readSandboxAccount = endpoint({
  method: 'GET',
  path: '/sandbox-bank/:number',
  access: 'public',
  summary: 'Demo bank: what a transfer number asks for',
  params: numberParams,
  response: z.object({ data: sandboxAccount }),
})

export const paySandboxAccount = endpoint({
  method: 'POST',
  path: '/sandbox-bank/:number',
  access: 'public',
  summary: 'Demo bank: pay a transfer number, or send its last report again',
  params: numberParams,
  body: z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('pay'),
      amount: rupiah.min(1).max(1_000_000_000),
      channel: z.enum(['mobile', 'internet', 'atm']).default('mobile'),
      /** Two simultaneous transfers, each with its own reference. */
      times: z.number().int().min(1).max(2).default(1),
      /** The report of this payment is lost. */
      silent: z.boolean().default(false),
      /** Seconds until the report is sent. */
      delay: z.number().int().min(0).max(3_600).default(0),
      /** Amount in the report, if different from the amount paid. */
      reportedAmount: rupiah.min(1).max(1_000_000_000).optional(),
    }),
    z.strictObject({ action: z.literal('repeat') }),
  ]),
  response: z.object({
    data: z.object({
      account: sandboxAccount,
      /** Answers of the report endpoint, as the bank sees them. */
      answers: z.array(z.object({ status: z.number().int(), body: z.string() })),
    }),
  }),
})
