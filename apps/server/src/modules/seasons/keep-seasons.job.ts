import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { keepSeasons } from './keep-seasons.ts'

/** Nightly, before the books are checked: stores the figures of the day that ended. */
export const keepSeasonsJob = defineJob({
  name: 'keep-seasons',
  schedule: '15 1 * * *',
  data: z.object({}),
  run: ({ db, clock }) => keepSeasons(db, { now: clock.now() }),
})
