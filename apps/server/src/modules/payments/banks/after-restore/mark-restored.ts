import { pauseRestored } from '#server/modules/messaging/handovers/pause-restored.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Counter } from '#server/platform/backup/restore-backup.ts'
import { markFinished } from '#server/platform/backup/unfinished-restore.ts'
import type { Db } from '#server/platform/database/database.ts'
import { listQuestions } from './list-questions.ts'
import { type Gap, skipNumbers } from './skip-numbers.ts'

type Marking = {
  /** Time of the backup; the books contain nothing later. */
  backupAt: Date
  now: Date
  countersBefore?: readonly Counter[]
}

/**
 * Prepares a restored database, as the owner of its tables: no counter repeats a number, every bank will be asked about
 * payments received since, and staff see up to which time the books are restored.
 */
export const markRestored = (db: Db, { backupAt, now, countersBefore = [] }: Marking): Promise<Gap[]> =>
  db.transaction().execute(async (tx) => {
    const { id: restoreId } = await tx
      .insertInto('restores')
      .values({ backupAt, restoredAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const skipping = { restoreId, backupAt, now, countersBefore }
    const gaps = await skipNumbers(tx, skipping)
    await listQuestions(tx, skipping, gaps)
    await pauseRestored(tx, now)
    await recordAudit(tx, systemActor, {
      action: 'restore.mark',
      on: { restore: restoreId },
      after: { backupAt, skipped: gaps.map(({ kind, scope, first, last }) => `${kind} ${scope} ${first}–${last}`) },
    })
    await markFinished(tx)
    return gaps
  })
