import { sql } from 'kysely'
import { z } from 'zod'
import { trialDays } from '#domain/trial/trial.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { endTrial, removeFiles } from './trials.ts'

const hourMs = 3_600_000

/** Removes abandoned trials, trials whose administrator is gone, and files left behind by ended ones. */
export const forgetTrialsJob = defineJob({
  name: 'forget-trials',
  schedule: '20 3 * * *',
  data: z.object({}),
  async run(services) {
    const { db, clock } = services
    const now = clock.now().getTime()
    const forgotten = await db
      .selectFrom('trials')
      .select('id')
      .where('endedAt', 'is', null)
      .where((eb) =>
        eb.or([eb('startedAt', '<', new Date(now - trialDays * 24 * hourMs)), eb('accountId', 'is', null)]),
      )
      .execute()
    for (const { id } of forgotten) await endTrial(services, systemActor, id)
    const withFiles = await db
      .selectFrom('trials')
      .select('id')
      .where('endedAt', '<', new Date(now - hourMs))
      .where(sql<boolean>`cardinality(file_keys) > 0`)
      .execute()
    for (const { id } of withFiles) await removeFiles(services, id, { forget: true })
  },
})
