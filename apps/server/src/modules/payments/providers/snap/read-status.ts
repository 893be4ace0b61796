import { z } from 'zod'
import type { Inquiry } from '#server/modules/payments/providers/provider.ts'

const paid = z.object({
  paymentFlagStatus: z.string().optional(),
  paymentRequestId: z.coerce.string().optional(),
  referenceNo: z.string().optional(),
  paidAmount: z.object({ value: z.string().regex(/^\d+(\.00)?$/) }).optional(),
  trxDateTime: z.string().optional(),
  transactionDate: z.string().optional(),
})
const statusAnswer = z.object({ virtualAccountData: z.union([z.array(paid), paid.transform((one) => [one])]) })

/** Payments in the bank's response about a number; null if the response has another shape. */
export function readStatus(json: unknown, number: string | null, now: () => Date): Inquiry | null {
  const read = statusAnswer.safeParse(json)
  if (!read.success) return null
  const found = read.data.virtualAccountData.flatMap((one) => {
    const amountTold = one.paidAmount?.value ?? '0'
    const amount = Number(amountTold)
    return one.paymentFlagStatus === '00' && amount > 0 ? [{ ...one, amount, amountTold }] : []
  })
  const payments = found.flatMap(({ amount, amountTold, paymentRequestId: reference, trxDateTime, transactionDate }) =>
    reference
      ? [
          {
            reference,
            virtualAccountNumber: number ?? '',
            amount,
            amountTold,
            paidAt: timeOf(trxDateTime ?? transactionDate) ?? now(),
            paidAtTold: trxDateTime ?? transactionDate ?? '',
            channel: null,
          },
        ]
      : [],
  )
  if (payments.length === found.length) return { payments }
  return {
    received: found.map(({ amount, referenceNo, trxDateTime }) => ({
      reference: referenceNo ?? trxDateTime ?? number ?? '',
      amount,
    })),
  }
}

const timeOf = (text: string | undefined) => {
  const at = text ? new Date(text) : undefined
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}
