import type { Selectable } from 'kysely'
import { z } from 'zod'
import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { claimNumbers } from './claim-numbers.ts'
import { findNumber } from './number-facts.ts'

const minute = 60_000
/** Numbers per batch, and batches per job run at most. */
const batchSize = 50
const mostBatches = 20
/** Meanwhile no other server calls the bank about these numbers. */
const leaseMs = minute
/** After this many tries staff have to check. The number is closed in the portal in any case. */
const mostTries = 12

/** Tells banks which numbers ended and how much remains to be paid on others. */
export const tellBanksJob = defineJob({
  name: 'tell-banks',
  schedule: '*/5 * * * *',
  data: z.object({}),
  run: (services) => tellWaiting(services),
})

export async function tellWaiting(services: Services): Promise<number> {
  let toldCount = 0
  for (let round = 0; round < mostBatches; round++) {
    const due = await claimNumbers(services, { column: 'tellAt', most: batchSize, lease: leaseMs })
    for (const account of due) if (await tellOne(services, account)) toldCount++
    if (due.length < batchSize) break
  }
  return toldCount
}

async function tellOne(services: Services, account: Selectable<Database['virtualAccounts']>): Promise<boolean> {
  const { db, clock, log } = services
  const { id, provider: code, bank, number, amountType, status, tell } = account
  const provider = await findProvider(services, code)
  const known = { id, bank, number, reference: account.providerReference, amountType, status }
  try {
    if (provider && tell === 'update') {
      const { update } = provider
      const facts = update && (await findNumber(db, code, { number: '', virtualAccountId: id }))
      if (update && facts && facts.status === 'active' && facts.remaining > 0)
        await callUnlessPaused(services, code, () =>
          update({
            ...known,
            amount: facts.remaining,
            payerName: facts.payerName,
            description: facts.billNumber,
            expiresAt: facts.expiresAt,
          }),
        )
    } else if (provider && tell)
      await callUnlessPaused(services, code, () => provider.close(known, tell as 'expire' | 'cancel'))
  } catch (error) {
    const tries = account.tellTries + 1
    log.warn({ err: error, number, tries }, 'a bank was not told about a transfer number')
    const giveUp = tries >= mostTries || !(error instanceof BankFailure)
    await db
      .updateTable('virtualAccounts')
      .set({
        tellTries: tries,
        problem: `tell_${error instanceof BankFailure ? error.kind : 'failed'}`,
        problemDetail: (error as Error).message.slice(0, 300),
        ...(giveUp
          ? { tell: null, tellAt: null }
          : { tellAt: new Date(clock.now().getTime() + Math.min(minute * 2 ** (tries - 1), 6 * 60 * minute)) }),
      })
      .where('id', '=', id)
      // A value of `tell` set meanwhile stays queued.
      .where('tell', '=', tell)
      .execute()
    return false
  }
  await db
    .updateTable('virtualAccounts')
    .set({ tell: null, tellAt: null, tellTries: 0, toldAt: clock.now(), problem: null, problemDetail: null })
    .where('id', '=', id)
    .where('tell', '=', tell)
    .execute()
  return true
}
