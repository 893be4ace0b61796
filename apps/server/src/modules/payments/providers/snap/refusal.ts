import { z } from 'zod'
import type { BankAnswer } from '#server/modules/payments/providers/call-bank.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'

/** Fields at the start of every SNAP response. */
export const codedAnswer = z.object({ responseCode: z.coerce.string(), responseMessage: z.string().optional() })

/** A failure with the bank's own code and sentence. */
export function refusal({ json, status }: BankAnswer) {
  const read = codedAnswer.safeParse(json)
  return new BankFailure(
    'refused',
    read.success ? [read.data.responseCode, read.data.responseMessage].filter(Boolean).join(' ') : `HTTP ${status}`,
  )
}
