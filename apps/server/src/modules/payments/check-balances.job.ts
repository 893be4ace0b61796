import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { checkBalances } from './check-balances.ts'

/** Every night the books are derived again; a difference fails the job, so that it stays visible until it is solved. */
export const checkBooks = defineJob({
  name: 'check-balances',
  schedule: '30 2 * * *',
  data: z.object({}),
  async run({ db, log }) {
    const problems = await checkBalances(db)
    for (const problem of problems) log.error(problem, 'a balance differs from its allocations')
    if (problems.length) throw new Error(`${problems.length} balances differ from their allocations`)
  },
})
