import { z } from 'zod'
import { dayInJakarta, daysBetween, shiftDay } from '#domain/days.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { compareDay, compareDays } from './compare-days.ts'

/** Every night yesterday is compared for every account, the provider being asked where something is missing. */
export const reconcileYesterday = defineJob({
  name: 'reconcile-yesterday',
  schedule: '15 3 * * *',
  data: z.object({}),
  async run(services) {
    const yesterday = shiftDay(dayInJakarta(services.clock.now()), -1)
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
