import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { forgetOldUploads } from './upload-pieces.ts'

/** Hourly: deletes uploads in pieces that were not finished within a day. */
export const forgetUploadsJob = defineJob({
  name: 'forget-uploads',
  schedule: '25 * * * *',
  data: z.object({}),
  run: (services) => forgetOldUploads(services),
})
