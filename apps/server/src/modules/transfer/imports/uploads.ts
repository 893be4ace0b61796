import { discardFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'

/** Tables of uploads, with the tables of their problems. */
const problemsOf = { imports: 'importProblems', workbookImports: 'workbookProblems' } as const
type Uploads = keyof typeof problemsOf

const dayMs = 86_400_000
/** Days that uploaded sheets and their problems are stored. */
const retentionDays = 30

/**
 * Marks uploads as failed that had no heartbeat for `afterMs`: their server has ended, and with it their transaction.
 */
export const markInterruptedUploads = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  uploads: Uploads,
  afterMs: number,
) =>
  db
    // Kysely types no statement on either of two tables; these columns are the same in both.
    .updateTable(uploads as 'imports')
    .set({ status: 'failed', failure: 'interrupted', finishedAt: clock.now() })
    .where('status', 'in', ['checking', 'running'])
    .where('heartbeatAt', '<', new Date(clock.now().getTime() - afterMs))
    .execute()

/** Deletes the files and problems of uploads after the retention time. The records stay. */
export async function forgetUploads({ db, clock }: Services, uploads: Uploads) {
  const now = clock.now()
  const table = uploads as 'imports'
  const problems = problemsOf[uploads] as 'importProblems'
  const expired = await db
    .selectFrom(table)
    .select(['id', 'fileId'])
    .where('createdAt', '<', new Date(now.getTime() - retentionDays * dayMs))
    .where('status', 'not in', ['checking', 'running'])
    .where('fileId', 'is not', null)
    .execute()
  for (const { id, fileId } of expired)
    await db.transaction().execute(async (tx) => {
      await discardFile(tx, fileId!, now)
      await tx.deleteFrom(problems).where('importId', '=', id).execute()
      await tx.updateTable(table).set({ fileId: null }).where('id', '=', id).execute()
    })
}
