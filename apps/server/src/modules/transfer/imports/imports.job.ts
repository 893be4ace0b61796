import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { forgetUploads } from './uploads.ts'
import { workThrough } from './work/work-through.ts'

const data = z.object({ importId: z.uuid() })

/** One attempt only: an interrupted import is shown as failed, and its owner decides whether to repeat it. */
export const checkImportJob = defineJob({
  name: 'check-import',
  maxAttempts: 1,
  data,
  run: (services, { importId }) => workThrough(services, importId, 'check'),
})

export const runImportJob = defineJob({
  name: 'run-import',
  maxAttempts: 1,
  data,
  run: (services, { importId }) => workThrough(services, importId, 'run'),
})

/** Nightly: deletes sheets and workbooks after the retention time. */
export const forgetImportFilesJob = defineJob({
  name: 'forget-import-files',
  schedule: '20 2 * * *',
  data: z.object({}),
  run: (services) => forgetUploads(services, 'others'),
})
