import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { reportPayment } from './report-demo-payment.ts'

/** Reports a payment late, like a slow bank. */
export const reportLaterJob = defineJob({
  name: 'sandbox-report',
  data: z.object({ reference: z.string() }),
  async run(services, { reference }) {
    const transaction = await services.db
      .selectFrom('sandboxTransactions')
      .selectAll()
      .where('reference', '=', reference)
      .executeTakeFirst()
    if (transaction) await reportPayment(services, transaction)
  },
})
