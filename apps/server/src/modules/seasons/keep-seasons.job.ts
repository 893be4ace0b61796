import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { keepSeasons } from './keep-seasons.ts'

/** Keeps the day that has ended, every night before the books are checked. */
export const keepSeasonsJob = defineJob({
  name: 'keep-seasons',
  schedule: '15 1 * * *',
  data: z.object({}),
  run: ({ db, clock }) => keepSeasons(db, { now: clock.now() }),
})
