import { z } from 'zod'
import { claimNumbers } from '#server/modules/payments/bills/numbers/claim-numbers.ts'
import type { VirtualAccount } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { askBank, nextAsk, noteAsked } from './ask-bank.ts'

const minute = 60_000
const batch = 100
/** Most batches in one run; the next run continues. */
const mostBatches = 10
const atOnce = 4
const lease = 10 * minute

/** Asks the banks, at growing intervals, about numbers whose payment should have been reported. */
export const askBanksJob = defineJob({
  name: 'ask-banks',
  schedule: '*/5 * * * *',
  maxAttempts: 1,
  data: z.object({}),
  run: (services) => askDue(services),
})

/** Asks about numbers that are due, up to a limit; returns the number of payments found. */
export async function askDue(services: Services): Promise<number> {
  let found = 0
  for (let round = 0; round < mostBatches; round++) {
    const due = await claimNumbers(services, { column: 'askAt', most: batch, lease })
    for (let start = 0; start < due.length; start += atOnce) {
      const some = due.slice(start, start + atOnce)
      const counts = await Promise.all(some.map((account) => askOne(services, account)))
      found += counts.reduce((sum, count) => sum + count, 0)
    }
    if (due.length < batch) break
  }
  return found
}

async function askOne(services: Services, account: VirtualAccount): Promise<number> {
  try {
    return await askBank(services, account)
  } catch (error) {
    // The number is due again when the lease ends.
    if (!(error instanceof BankFailure))
      services.log.error({ err: error, number: account.number }, 'a bank was not asked')
    else if (error.kind === 'refused')
      await noteAsked(services, account, nextAsk(account.status, account.asks + 1, services.clock.now()))
    return 0
  }
}
