import { z } from 'zod'
import { bankCalendar, daysBetween, shiftDay } from '#domain/calendar.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import type { OwnAccount } from './account-queue.ts'
import { compareDay, compareDays } from './compare-days.ts'
import { reconcileDays } from './reconcile-day.ts'

/** Compares yesterday for every account each night, after asking the providers about missing payments. */
export const reconcileYesterdayJob = defineJob({
  name: 'reconcile-yesterday',
  schedule: '15 3 * * *',
  data: z.object({}),
  async run(services) {
    const yesterday = shiftDay(bankCalendar.dayOf(services.clock.now()), -1)
    const accounts = await services.db.selectFrom('bankAccounts').select('id').where('active', '=', true).execute()
    for (const { id } of accounts) await compareDay(services, null, id, yesterday)
  },
})

/** Compares the days of a long statement in the background after the import. */
export const reconcileLaterJob = defineJob({
  name: 'reconcile-days',
  data: z.object({ bankAccountId: z.uuid(), from: z.iso.date(), to: z.iso.date() }),
  run: (services, { bankAccountId, from, to }) => compareDays(services, bankAccountId, daysBetween(from, to)),
})

/** Most days compared at once; longer ranges are compared in the background. */
const mostDaysAtOnce = 62

/** Compares the days of a range, both ends included: at once, or in the background if the range is long. */
export async function reconcileSoon(
  tx: Tx,
  services: Services,
  account: OwnAccount,
  { from, to, isLong = false }: { from: string; to: string; isLong?: boolean },
) {
  const days = daysBetween(from, to)
  if (isLong || days.length > mostDaysAtOnce)
    await services.jobs.enqueue(tx, reconcileLaterJob, { bankAccountId: account.id, from, to })
  else await reconcileDays(tx, services, null, account, days)
}
