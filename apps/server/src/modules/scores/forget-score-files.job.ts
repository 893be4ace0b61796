import type { NotNull } from 'kysely'
import { z } from 'zod'
import { discardFile } from '#server/platform/files/stored-files.ts'
import { defineJob } from '#server/platform/jobs.ts'

const dayMs = 86_400_000
/** Days to keep score files, their problems and proposed people. Written scores can be undone for longer. */
const retentionDays = 30

/** Nightly: deletes the personal data of score files. The import and its scores stay. */
export const forgetScoreFilesJob = defineJob({
  name: 'forget-score-files',
  schedule: '35 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    const expired = await db
      .selectFrom('scoreImports')
      .select(['id', 'fileId'])
      .where('createdAt', '<', new Date(now.getTime() - retentionDays * dayMs))
      .where('fileId', 'is not', null)
      .$narrowType<{ fileId: NotNull }>()
      .execute()
    for (const { id, fileId } of expired)
      await db.transaction().execute(async (tx) => {
        await discardFile(tx, fileId, now)
        await tx.deleteFrom('scoreImportProblems').where('importId', '=', id).execute()
        await tx.deleteFrom('scoreImportPeople').where('importId', '=', id).execute()
        await tx.updateTable('scoreImports').set({ fileId: null, samples: '[]' }).where('id', '=', id).execute()
      })
  },
})
