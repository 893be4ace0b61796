import { z } from 'zod'
import type { BankAnswer } from '#server/modules/payments/providers/call-bank.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'

/** What every SNAP answer begins with. */
export const codedAnswer = z.object({ responseCode: z.coerce.string(), responseMessage: z.string().optional() })

/** The failure that carries the bank's own code and sentence. */
export function refusal({ json, status }: BankAnswer) {
  const read = codedAnswer.safeParse(json)
  return new BankFailure(
    'refused',
    read.success ? [read.data.responseCode, read.data.responseMessage].filter(Boolean).join(' ') : `HTTP ${status}`,
  )
}
