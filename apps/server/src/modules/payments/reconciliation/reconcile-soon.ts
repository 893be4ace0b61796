import { daysBetween } from '#domain/calendar.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { OwnAccount } from './account-queue.ts'
import { reconcileLaterJob } from './reconcile.job.ts'
import { reconcileDays } from './reconcile-day.ts'

/** Most days compared at once; longer ranges are compared in the background. */
const mostDaysAtOnce = 62

/** Compares the days of a range, both ends included: at once, or in the background if the range is long. */
export async function reconcileSoon(
  context: Omit<Context, 'actor'>,
  account: OwnAccount,
  { from, to, isLong = false }: { from: string; to: string; isLong?: boolean },
) {
  const { tx, services } = context
  const days = daysBetween(from, to)
  if (isLong || days.length > mostDaysAtOnce)
    await services.jobs.enqueue(tx, reconcileLaterJob, { bankAccountId: account.id, from, to })
  else await reconcileDays(context, null, account, days)
}
