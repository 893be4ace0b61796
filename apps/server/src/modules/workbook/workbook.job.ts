import { z } from 'zod'
import { discardFile } from '#server/platform/files/files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { workOnWorkbook } from './work-on-workbook.ts'

const dayMs = 86_400_000
/** Days that uploaded workbooks and their problems are stored; what they wrote can be taken back longer. */
const retentionDays = 30

/** Has one attempt: an interrupted workbook is shown as failed, and its owner decides. */
export const workOnWorkbookJob = defineJob({
  name: 'work-on-workbook',
  maxAttempts: 1,
  data: z.object({ importId: z.uuid(), mode: z.enum(['check', 'run']) }),
  run: (services, { importId, mode }) => workOnWorkbook(services, importId, mode),
})

/** Nightly: deletes workbooks after the retention time. The record stays. */
export const forgetWorkbooksJob = defineJob({
  name: 'forget-workbooks',
  schedule: '25 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    const expired = await db
      .selectFrom('workbookImports')
      .select(['id', 'fileId'])
      .where('createdAt', '<', new Date(now.getTime() - retentionDays * dayMs))
      .where('status', 'not in', ['checking', 'running'])
      .where('fileId', 'is not', null)
      .execute()
    for (const { id, fileId } of expired)
      await db.transaction().execute(async (tx) => {
        await discardFile(tx, fileId!, now)
        await tx.deleteFrom('workbookProblems').where('importId', '=', id).execute()
        await tx.updateTable('workbookImports').set({ fileId: null }).where('id', '=', id).execute()
      })
  },
})
