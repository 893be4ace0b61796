import { z } from 'zod'
import { bankCalendar, daysBetween, shiftDay } from '#domain/calendar.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { compareDay, compareDays } from './compare-days.ts'

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
