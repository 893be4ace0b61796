import { daysBetween } from '#domain/calendar.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import type { OwnAccount } from './account-queue.ts'
import { reconcileLaterJob } from './reconcile.job.ts'
import { reconcileDays } from './reconcile-day.ts'

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
