import { z } from 'zod'
import { discardFile } from '#server/platform/files/files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { workThrough } from './work/work-through.ts'

const data = z.object({ importId: z.uuid() })
const dayMs = 86_400_000
/** Days that uploaded sheets and their problems are stored. */
const retentionDays = 30

/** Has one attempt: an interrupted import is shown as failed, and its owner decides. */
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

/** Nightly: deletes sheets after the retention time. The import's record stays. */
export const forgetImportFiles = defineJob({
  name: 'forget-import-files',
  schedule: '20 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    const expired = await db
      .selectFrom('imports')
      .select(['id', 'fileId'])
      .where('createdAt', '<', new Date(now.getTime() - retentionDays * dayMs))
      .where('status', 'not in', ['checking', 'running'])
      .where('fileId', 'is not', null)
      .execute()
    for (const { id, fileId } of expired)
      await db.transaction().execute(async (tx) => {
        await discardFile(tx, fileId!, now)
        await tx.deleteFrom('importProblems').where('importId', '=', id).execute()
        await tx.updateTable('imports').set({ fileId: null }).where('id', '=', id).execute()
      })
  },
})
