import { z } from 'zod'
import { bankCalendar } from '#domain/calendar.ts'
import { daysBetween, shiftDay } from '#domain/days.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import type { OwnAccount } from './account-queue.ts'
import { compareDay, compareDays } from './compare-days.ts'
import { reconcileDays } from './reconcile-day.ts'

/** Every night yesterday is compared for every account, the provider being asked where something is missing. */
export const reconcileYesterday = defineJob({
  name: 'reconcile-yesterday',
  schedule: '15 3 * * *',
  data: z.object({}),
  async run(services) {
    const yesterday = shiftDay(bankCalendar.dayOf(services.clock.now()), -1)
    const accounts = await services.db.selectFrom('bankAccounts').select('id').where('active', '=', true).execute()
    for (const { id } of accounts) await compareDay(services, null, id, yesterday)
  },
})

/** The days of a long statement, after it was kept. */
export const reconcileLater = defineJob({
  name: 'reconcile-days',
  data: z.object({ bankAccountId: z.uuid(), from: z.iso.date(), to: z.iso.date() }),
  run: (services, { bankAccountId, from, to }) => compareDays(services, bankAccountId, daysBetween(from, to)),
})

/** Days compared at once; more are compared in the background. */
const mostDaysAtOnce = 62

/** Compares the days from one to another, both included: at once, or in the background where there is much to compare. */
export async function reconcileSoon(
  tx: Tx,
  services: Services,
  account: OwnAccount,
  { from, to, isLong = false }: { from: string; to: string; isLong?: boolean },
) {
  const days = daysBetween(from, to)
  if (isLong || days.length > mostDaysAtOnce)
    await services.jobs.enqueue(tx, reconcileLater, { bankAccountId: account.id, from, to })
  else await reconcileDays(tx, services, null, account, days)
}
