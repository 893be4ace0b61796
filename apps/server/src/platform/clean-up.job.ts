import { z } from 'zod'
import { defineJob } from './jobs.ts'
import { getSettings } from './settings.ts'

const day = 86_400_000

/** Every night: forgets answers, sessions and link tokens whose time is over, and the bytes of discarded files. */
export const cleanUp = defineJob({
  name: 'clean-up',
  schedule: '40 2 * * *',
  data: z.object({}),
  async run({ db, clock, files }) {
    const now = clock.now().getTime()
    const { keepSessionsDays, keepDiscardedFilesDays, keepMessagesDays } = await getSettings(db)
    const before = (days: number) => new Date(now - days * day)
    await db.deleteFrom('idempotencyKeys').where('createdAt', '<', before(1)).execute()
    await db.deleteFrom('statementStaging').where('stagedAt', '<', before(1)).execute()
    await db.deleteFrom('oneTimeTokens').where('expiresAt', '<', before(keepSessionsDays)).execute()
    await db.deleteFrom('sessions').where('expiresAt', '<', before(keepSessionsDays)).execute()
    await db
      .deleteFrom('messages')
      .where('createdAt', '<', before(keepMessagesDays))
      .where('status', '!=', 'queued')
      .execute()
    const discarded = await db
      .selectFrom('files')
      .select(['id', 'storageKey', 'thumbnailKey'])
      .where('deletedAt', '<', before(keepDiscardedFilesDays))
      .limit(1000)
      .execute()
    for (const file of discarded) {
      await files.remove(file.storageKey)
      if (file.thumbnailKey) await files.remove(file.thumbnailKey)
      await db.deleteFrom('files').where('id', '=', file.id).execute()
    }
  },
})
