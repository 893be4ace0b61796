import { z } from 'zod'
import { forgetUploads } from '#server/modules/transfer/imports/uploads.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { workOnWorkbook } from './work-on-workbook.ts'

/** One attempt only: an interrupted workbook is shown as failed, and its owner decides whether to repeat it. */
export const workOnWorkbookJob = defineJob({
  name: 'work-on-workbook',
  maxAttempts: 1,
  data: z.object({ importId: z.uuid(), mode: z.enum(['check', 'run']) }),
  run: (services, { importId, mode }) => workOnWorkbook(services, importId, mode),
})

/** Nightly: deletes workbooks after the retention time. Their rows can be undone longer; the record stays. */
export const forgetWorkbooksJob = defineJob({
  name: 'forget-workbooks',
  schedule: '25 2 * * *',
  data: z.object({}),
  run: (services) => forgetUploads(services, 'workbookImports'),
})
