import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { workOnWorkbook } from './work-on-workbook.ts'

/** One attempt only: an interrupted workbook is shown as failed, and its owner decides whether to repeat it. */
export const workOnWorkbookJob = defineJob({
  name: 'work-on-workbook',
  maxAttempts: 1,
  data: z.object({ importId: z.uuid(), mode: z.enum(['check', 'run']) }),
  run: (services, { importId, mode }) => workOnWorkbook(services, importId, mode),
})
