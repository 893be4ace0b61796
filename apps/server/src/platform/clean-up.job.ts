import { z } from 'zod'
import { defineJob } from './jobs.ts'
import { getSettings } from './settings.ts'

const dayMs = 86_400_000
const keepCampusCallsDays = 365
const keepFeederAnswersDays = 365

/**
 * Deletes expired idempotency keys, statement staging, sessions, link tokens, messages, report deliveries, campus system
 * calls and Neo Feeder answers; and discarded files with their bytes.
 */
export const cleanUpJob = defineJob({
  name: 'clean-up',
  schedule: '40 2 * * *',
  data: z.object({}),
  async run({ db, clock, files }) {
    const now = clock.now().getTime()
    const { keepSessionsDays, keepDiscardedFilesDays, keepMessagesDays } = await getSettings(db)
    const daysAgo = (days: number) => new Date(now - days * dayMs)
    await db.deleteFrom('idempotencyKeys').where('createdAt', '<', daysAgo(1)).execute()
    await db.deleteFrom('statementStaging').where('stagedAt', '<', daysAgo(1)).execute()
    await db.deleteFrom('oneTimeTokens').where('expiresAt', '<', daysAgo(keepSessionsDays)).execute()
    await db.deleteFrom('setupLinks').where('expiresAt', '<', daysAgo(keepSessionsDays)).execute()
    await db.deleteFrom('sessions').where('expiresAt', '<', daysAgo(keepSessionsDays)).execute()
    await db.deleteFrom('campusCalls').where('at', '<', daysAgo(keepCampusCallsDays)).execute()
    await db.deleteFrom('feederAnswers').where('at', '<', daysAgo(keepFeederAnswersDays)).execute()
    await db
      .updateTable('files')
      .set({ deletedAt: clock.now() })
      .where('deletedAt', 'is', null)
      .where(
        'id',
        'in',
        db
          .selectFrom('messages')
          .select('fileId')
          .where('fileId', 'is not', null)
          .where('createdAt', '<', daysAgo(keepMessagesDays))
          .where('status', '!=', 'queued')
          .$castTo<{ fileId: string }>(),
      )
      .execute()
    await db
      .deleteFrom('messages')
      .where('createdAt', '<', daysAgo(keepMessagesDays))
      .where('status', '!=', 'queued')
      .execute()
    await db
      .deleteFrom('reportMailRuns')
      .where('createdAt', '<', daysAgo(keepMessagesDays))
      .where('state', '!=', 'waiting')
      .execute()
    const discardedFiles = await db
      .selectFrom('files')
      .select(['id', 'storageKey', 'thumbnailKey'])
      .where('deletedAt', '<', daysAgo(keepDiscardedFilesDays))
      .limit(1000)
      .execute()
    for (const file of discardedFiles) {
      await files.remove(file.storageKey)
      if (file.thumbnailKey) await files.remove(file.thumbnailKey)
      await db.deleteFrom('files').where('id', '=', file.id).execute()
    }
  },
})
