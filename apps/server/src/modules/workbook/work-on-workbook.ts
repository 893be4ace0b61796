import { sql } from 'kysely'
import type { ProblemLevel } from '#domain/transfer/import-status.ts'
import type { SheetCounts } from '#domain/workbook/endpoints.ts'
import { workbookSheets } from '#domain/workbook/sheets.ts'
import type { WorkbookFailure } from '#domain/workbook/status.ts'
import { importerOf } from '#server/modules/transfer/imports/acting.ts'
import { storeProblems } from '#server/modules/transfer/imports/problem-list.ts'
import { type Import, type Mode, moveImport, Stop, workOnImport } from '#server/modules/transfer/imports/uploads.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { collectPendingNames } from './pending-names.ts'
import { type SheetOutcome, workThroughSheet } from './plan-sheet.ts'
import { type ReadWorkbook, readWorkbook, type WorkbookProblem } from './read-workbook.ts'

/**
 * Serialises workbooks, and makes each wait for imports of single lists. The fixed order of tables prevents deadlocks.
 */
export const lockSheets = (tx: Db) =>
  sql`SELECT pg_advisory_xact_lock(hashtext('import'), hashtext(name))
    FROM unnest(${workbookSheets.map(({ table }) => table)}::text[]) AS name`.execute(tx)

/**
 * Works through a workbook in one transaction. A check rolls back. A run commits, together with the new status, if
 * every row is right and the result equals that of its check.
 */
export const workOnWorkbook = (services: Services, importId: string, mode: Mode) =>
  workOnImport(services, importId, mode, async (record) => {
    const workbook = await readWorkbook(services, record.fileId)
    if (workbook.sheets.length === 0 && workbook.problems.length === 0) throw new Stop('no_rows')
    await planAndWrite(services, record, mode, workbook)
  })

async function planAndWrite(
  services: Services,
  record: Import,
  mode: Mode,
  { sheets, problems: sheetProblems, misnamed }: ReadWorkbook,
) {
  const { db, clock } = services
  const { timeZone } = await getSettings(db)
  const now = clock.now()
  const by = {
    actor: importerOf(record),
    now,
    reason: `Workbook: ${record.fileName}`,
    audit: mode === 'run',
  }
  const pending = collectPendingNames()
  for (const { slug } of misnamed) pending.addSheet(slug)
  const outcomes: SheetOutcome[] = []
  const tx = await db.startTransaction().execute()
  try {
    await lockSheets(tx)
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
    for (const sheet of sheets) outcomes.push(await workThroughSheet({ tx, by, timeZone, pending }, sheet))
    const problems = [...sheetProblems, ...outcomes.flatMap((outcome) => outcome.problems)]
    const counts = outcomes.map((outcome) => outcome.counts)
    const agreesWithCheck = JSON.stringify(counts) === JSON.stringify((record.sheets as SheetCounts[]).map(inOrder))
    if (mode === 'run' && countOf(problems, 'problem') === 0 && agreesWithCheck) {
      await keepWrittenRows(tx, record.id, outcomes)
      await moveImport(tx, record.id, ['running'], { status: 'done', finishedAt: now })
      await tx.commit().execute()
      return
    }
    await tx.rollback().execute()
    await keepCheck(db, record.id, counts, problems, mode === 'run' ? 'changed_since_check' : null)
  } finally {
    if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
  }
}

/** Sets the order of keys, because PostgreSQL orders the keys of `jsonb` in its own way. */
const inOrder = ({ slug, new: added, changed, unchanged, wrong, waiting }: SheetCounts): SheetCounts => ({
  slug,
  new: added,
  changed,
  unchanged,
  wrong,
  waiting,
})

async function keepWrittenRows(tx: Db, importId: string, outcomes: readonly SheetOutcome[]) {
  const rows = outcomes.flatMap(({ entity, written }) =>
    written.map(({ id, before }) => ({
      import_id: importId,
      entity: entity.slug,
      row_id: id,
      version: (before?.version ?? 0) + 1,
      before: before ?? null,
    })),
  )
  await sql`INSERT INTO workbook_rows
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS x (import_id uuid, entity text, row_id uuid, version integer, before jsonb)`.execute(tx)
}

const countOf = (problems: readonly WorkbookProblem[], level: ProblemLevel) =>
  problems.filter((problem) => problem.level === level).length

/** Stores the result of a check, in sheet order. */
const keepCheck = (
  db: Db,
  id: string,
  counts: readonly SheetCounts[],
  problems: readonly WorkbookProblem[],
  failure: WorkbookFailure | null,
) =>
  db.transaction().execute(async (tx) => {
    await tx.deleteFrom('importProblems').where('importId', '=', id).execute()
    await storeProblems(tx, id, problems)
    await tx
      .updateTable('imports')
      .set({
        ...{ status: 'checked', failure, sheets: JSON.stringify(counts) },
        ...{ problems: countOf(problems, 'problem'), warnings: countOf(problems, 'warning') },
      })
      .where('id', '=', id)
      .where('status', 'in', ['checking', 'running'])
      .execute()
  })
