import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { compareSome } from './compare-schools.ts'

const batchSize = 2_000

/** Compares new and changed schools in the background; one run can process a whole imported list. */
export const compareSchoolsJob = defineJob({
  name: 'compare-schools',
  schedule: '*/2 * * * *',
  data: z.object({}),
  async run({ db }) {
    while ((await compareSome(db, batchSize)) === batchSize);
  },
})
