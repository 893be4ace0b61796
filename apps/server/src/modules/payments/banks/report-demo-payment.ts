import { sandboxCode, signedReport } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import type { Services } from '#server/platform/services.ts'
import { receiveReport } from './receive-report.ts'

type Transaction = {
  reference: string
  virtualAccountNumber: string
  amount: number
  reportedAmount: number | null
  channel: string
  paidAt: Date
}

/** Sends the signed report of a payment as the demo bank, and counts it. */
export async function reportPayment(services: Services, transaction: Transaction) {
  const { reference, virtualAccountNumber, amount, reportedAmount, channel, paidAt } = transaction
  const { body, headers } = signedReport(
    services.config.secretKey,
    { reference, virtualAccountNumber, amount: reportedAmount ?? amount, channel, paidAt },
    services.clock.now(),
  )
  const path = `/api/providers/${sandboxCode}/report`
  const answer = await receiveReport(services, sandboxCode, { method: 'POST', path, headers, body, network: '' })
  await services.db
    .updateTable('sandboxTransactions')
    .set((eb) => ({ reports: eb('reports', '+', 1) }))
    .where('reference', '=', reference)
    .execute()
  return { status: answer.status, body: JSON.stringify(answer.body) }
}
