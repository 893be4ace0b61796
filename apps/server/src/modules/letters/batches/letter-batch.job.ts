import { z } from 'zod'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { printChunk } from './print-chunk.ts'
import { registerChunk } from './register-chunk.ts'

/**
 * Works through a batch: registers a chunk, prints it, then the next. A killed job runs again after `heartbeatSeconds`
 * and continues with the first unprinted chunk; two runs at once are safe. In a cancelled batch, only registered chunks
 * are printed.
 */
export const letterBatchJob = defineJob({
  name: 'letter-batch',
  heartbeatSeconds: 30,
  data: z.object({ batchId: z.uuid() }),
  run: async (services, { batchId }) => {
    const actor = await starterOf(services.db, batchId)
    const chunks = await services.db
      .selectFrom('letterBatchChunks')
      .select('number')
      .where('batchId', '=', batchId)
      .where('printedAt', 'is', null)
      .orderBy('number')
      .execute()
    for (const { number } of chunks)
      if (await registerChunk(services, actor, batchId, number)) await printChunk(services, actor, batchId, number)
    await finish(services, batchId)
  },
})

/** The account that started the batch, as actor of its letters and audit entries. */
async function starterOf(db: Db, batchId: string): Promise<Actor> {
  const starter = await db
    .selectFrom('letterBatches as b')
    .innerJoin('accounts as u', 'u.id', 'b.startedBy')
    .innerJoin('roles as o', 'o.id', 'u.roleId')
    .select(['u.id as accountId', 'u.name', 'o.id as roleId', 'o.name as roleName'])
    .where('b.id', '=', batchId)
    .executeTakeFirst()
  if (!starter) return systemActor
  const { accountId, name, roleId, roleName } = starter
  return { ...systemActor, accountId, name, role: { id: roleId, name: roleName } }
}

const finish = ({ db, clock }: Services, batchId: string) =>
  db
    .updateTable('letterBatches')
    .set({ status: 'done', finishedAt: clock.now() })
    .where('id', '=', batchId)
    .where('status', '=', 'running')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('letterBatchChunks')
            .select('number')
            .where('batchId', '=', batchId)
            .where('printedAt', 'is', null),
        ),
      ),
    )
    .execute()
