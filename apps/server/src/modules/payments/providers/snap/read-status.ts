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
    const amount = Number(one.paidAmount?.value ?? '0')
    return one.paymentFlagStatus === '00' && amount > 0 ? [{ ...one, amount }] : []
  })
  const named = found.every((one) => one.paymentRequestId)
  if (!named)
    return {
      received: found.map(({ amount, referenceNo, trxDateTime }) => ({
        reference: referenceNo ?? trxDateTime ?? number ?? '',
        amount,
      })),
    }
  return {
    payments: found.map(({ amount, paidAmount, paymentRequestId, trxDateTime, transactionDate }) => ({
      reference: paymentRequestId!,
      virtualAccountNumber: number ?? '',
      amount,
      amountTold: paidAmount!.value,
      paidAt: timeOf(trxDateTime ?? transactionDate) ?? now(),
      paidAtTold: trxDateTime ?? transactionDate ?? '',
      channel: null,
    })),
  }
}

const timeOf = (text: string | undefined) => {
  const at = text ? new Date(text) : undefined
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}
