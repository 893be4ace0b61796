import { z } from 'zod'
import { forgetUploads } from '#server/modules/transfer/imports/uploads.ts'
import { defineJob } from '#server/platform/jobs.ts'

/** Nightly: deletes the personal data of score files. The import and its scores stay. */
export const forgetScoreFilesJob = defineJob({
  name: 'forget-score-files',
  schedule: '35 2 * * *',
  data: z.object({}),
  run: (services) =>
    forgetUploads(services, 'scores', async (tx, id) => {
      await tx.deleteFrom('scoreImportPeople').where('importId', '=', id).execute()
      await tx.updateTable('scoreImports').set({ samples: '[]' }).where('id', '=', id).execute()
    }),
})
