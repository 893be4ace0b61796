import { sql } from 'kysely'
import { batchStallsAfterMs, type LetterBatch, listLetterBatches } from '#domain/letters/batch-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { hiddenFrom, seesAll } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { getFile } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { letterBatchJob } from './letter-batch.job.ts'
import { redrawChunk } from './print-chunk.ts'

/**
 * Batches `b` the actor sees: all for roles with the whole university, otherwise their own if everybody in them is in
 * scope.
 */
const batchVisibleTo = (actor: Actor) =>
  seesAll(actor)
    ? sql<boolean>`true`
    : sql<boolean>`(b.started_by = ${actor.accountId} AND NOT EXISTS (SELECT FROM letter_batch_members m
        JOIN registrations r ON r.id = m.registration_id WHERE m.batch_id = b.id AND ${hiddenFrom(actor)}))`

const batchesWithTitles = (db: Db) =>
  db
    .selectFrom('letterBatches as b')
    .innerJoin('letterKinds as k', 'k.id', 'b.letterKindId')
    .leftJoin('accounts as u', 'u.id', 'b.startedBy')

const withColumns = (rows: ReturnType<typeof batchesWithTitles>, language: Language) =>
  rows
    .leftJoin('waves as w', 'w.id', 'b.waveId')
    .leftJoin('studyProgrammes as p', 'p.id', 'b.programmeId')
    .leftJoin('tracks as t', 't.id', 'b.trackId')
    .select(['b.id', 'b.language', 'b.stage', 'b.status', 'b.total', 'b.startedAt', 'b.workedAt', 'b.finishedAt'])
    .select(['u.name as startedBy', 'p.name as programme', 't.name as track'])
    .select(sql<string>`${sql.ref(language === 'en' ? 'k.name_en' : 'k.name_id')}`.as('kind'))
    .select(sql<string | null>`w.name || ' ' || w.academic_year`.as('wave'))
    .select(
      sql<number>`(SELECT coalesce(sum(c.people), 0)::int FROM letter_batch_chunks c
        WHERE c.batch_id = b.id AND c.printed_at IS NOT NULL)`.as('finished'),
    )
    .select(
      sql<number>`(SELECT count(*)::int FROM letter_batch_members m
        WHERE m.batch_id = b.id AND m.refusal IS NOT NULL)`.as('refused'),
    )

export const serveLetterBatches = (app: App, services: Services) =>
  serveList(app, services, listLetterBatches, {
    from: () => batchesWithTitles(services.db),
    scope: ({ actor }) => batchVisibleTo(actor),
    filters: {
      status: 'b.status',
      waveId: 'b.waveId',
      programmeId: 'b.programmeId',
      q: (q) => contains(sql`k.code || ' ' || k.name_en || ' ' || k.name_id || ' ' || coalesce(u.name, '')`, q),
    },
    columns: (rows, { language }) => withColumns(rows, language),
    sorts: {
      startedAt: { by: sql`b.started_at`, type: 'timestamptz' },
      kind: { by: sql`lower(k.name_id)`, type: 'text' },
      total: { by: sql`b.total`, type: 'integer' },
    },
    id: sql`b.id`,
  })

const maxRefusals = 100

/** A batch for its page; 404 if the actor does not see it. */
export async function showBatch(
  services: Services,
  actor: Actor,
  id: string,
  language: Language,
): Promise<LetterBatch> {
  const { db, clock } = services
  const found = await withColumns(batchesWithTitles(db), language)
    .where('b.id', '=', id)
    .where(batchVisibleTo(actor))
    .executeTakeFirst()
  if (!found) throw notFound('letter_batch')
  const { workedAt, startedAt, finishedAt, ...batch } = found
  const { rows: chunks } = await sql<LetterBatch['chunks'][number]>`
    SELECT c.number, c.people, count(l.id)::int AS letters,
      (count(l.id) FILTER (WHERE l.state <> 'valid'))::int AS ended, c.registered_at IS NOT NULL AS registered,
      c.printed_at IS NOT NULL AS printed, c.file_id IS NOT NULL AS has_file,
      (array_agg(l.number ORDER BY m.position) FILTER (WHERE l.id IS NOT NULL))[1] AS first,
      (array_agg(l.number ORDER BY m.position DESC) FILTER (WHERE l.id IS NOT NULL))[1] AS last
    FROM letter_batch_chunks c
    JOIN letter_batch_members m ON m.batch_id = c.batch_id AND m.chunk = c.number
    LEFT JOIN letters l ON l.id = m.letter_id
    WHERE c.batch_id = ${id} GROUP BY c.batch_id, c.number ORDER BY c.number`.execute(db)
  return {
    ...batch,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    stalled: batch.status === 'running' && workedAt.getTime() < clock.now().getTime() - batchStallsAfterMs,
    chunks,
    refusals: await refusalsOf(db, id, language),
  }
}

async function refusalsOf(db: Db, batchId: string, language: Language) {
  const rows = await db
    .selectFrom('letterBatchMembers as m')
    .innerJoin('registrations as r', 'r.id', 'm.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['m.registrationId', 'r.code', 'a.fullName as name', 'm.refusal', 'm.refusalDetails'])
    .where('m.batchId', '=', batchId)
    .where('m.refusal', 'is not', null)
    .orderBy('m.position')
    .limit(maxRefusals)
    .execute()
  const t = sentences(language)
  return rows.map(({ refusal, refusalDetails, ...person }) => ({
    ...person,
    reason: t(`errors:${refusal}`, refusalDetails as Record<string, unknown>) as string,
  }))
}

/** Locks a running batch; 404 if the actor does not see it, 409 if it has ended. */
async function lockRunning(tx: Db, actor: Actor, id: string) {
  const batch = await tx
    .selectFrom('letterBatches as b')
    .select(['b.status', 'b.workedAt'])
    .where('b.id', '=', id)
    .where(batchVisibleTo(actor))
    .forUpdate('b')
    .executeTakeFirst()
  if (!batch) throw notFound('letter_batch')
  if (batch.status !== 'running') throw conflict('letter_batch_ended')
  return batch
}

/** Stops a batch: no further chunks are registered. Waits for the one being registered. */
export const cancelBatch = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    await lockRunning(tx, actor, id)
    await tx
      .updateTable('letterBatches')
      .set({ status: 'cancelled', finishedAt: services.clock.now() })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'letter-batch.cancel', on: { 'letter-batch': id } })
    // Print registered chunks even if the batch's job has ended.
    await services.jobs.enqueue(tx, letterBatchJob, { batchId: id })
  })

/** Queues the batch's job again; 409 while the job shows signs of life. */
export const continueBatch = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const { workedAt } = await lockRunning(tx, actor, id)
    if (workedAt.getTime() >= now.getTime() - batchStallsAfterMs) throw conflict('letter_batch_alive')
    await tx.updateTable('letterBatches').set({ workedAt: now }).where('id', '=', id).execute()
    await recordAudit(tx, actor, { action: 'letter-batch.continue', on: { 'letter-batch': id } })
    await services.jobs.enqueue(tx, letterBatchJob, { batchId: id })
  })

/**
 * The printable file of a chunk, redrawn if one of its letters was replaced or withdrawn meanwhile. The download is
 * added to the audit log.
 */
export async function downloadChunk(services: Services, actor: Actor, id: string, number: number) {
  const chunk = await services.db
    .selectFrom('letterBatchChunks as c')
    .innerJoin('letterBatches as b', 'b.id', 'c.batchId')
    .innerJoin('letterKinds as k', 'k.id', 'b.letterKindId')
    .select(['c.fileId', 'k.code'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM letter_batch_members m JOIN letters l ON l.id = m.letter_id
        WHERE m.batch_id = c.batch_id AND m.chunk = c.number AND l.state <> 'valid')`.as('hasEnded'),
    )
    .where('b.id', '=', id)
    .where('c.number', '=', number)
    .where(batchVisibleTo(actor))
    .executeTakeFirst()
  if (!chunk?.fileId) throw notFound('file')
  const bytes = chunk.hasEnded
    ? await redrawChunk(services, id, number)
    : await services.files.bytes((await getFile(services.db, chunk.fileId)).storageKey)
  await recordAudit(services.db, actor, {
    action: 'letter-batch.download',
    on: { 'letter-batch': id },
    after: { chunk: number },
  })
  return { name: `${chunk.code}-${number}`, bytes }
}
