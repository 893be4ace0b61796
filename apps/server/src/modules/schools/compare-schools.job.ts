import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { compareSome } from './compare-schools.ts'

const batch = 2_000

/** New and changed schools are compared in the background, a whole imported list within one run. */
export const compareNewSchools = defineJob({
  name: 'compare-schools',
  schedule: '*/2 * * * *',
  data: z.object({}),
  async run({ db }) {
    while ((await compareSome(db, batch)) === batch);
  },
})
