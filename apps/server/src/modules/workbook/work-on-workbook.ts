import { type Selectable, sql } from 'kysely'
import type { ProblemLevel } from '#domain/transfer/import-status.ts'
import type { SheetCounts } from '#domain/workbook/endpoints.ts'
import { workbookSheets } from '#domain/workbook/sheets.ts'
import type { WorkbookFailure } from '#domain/workbook/status.ts'
import { importerOf } from '#server/modules/transfer/imports/acting.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { SheetError } from '#server/platform/sheets/sheet-reader.ts'
import { collectPendingNames } from './pending-names.ts'
import { type SheetOutcome, workThroughSheet } from './plan-sheet.ts'
import { type ReadWorkbook, readWorkbook, type WorkbookProblem, WorkbookRefused } from './read-workbook.ts'

export type WorkbookImport = Selectable<Database['workbookImports']>
export type Mode = 'check' | 'run'

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
export async function workOnWorkbook(services: Services, importId: string, mode: Mode): Promise<void> {
  const { db, clock, log } = services
  const record = await claim(services, importId, mode)
  if (!record) return
  let failure: WorkbookFailure
  try {
    if (!record.fileId) throw new WorkbookRefused('unreadable')
    const workbook = await readWorkbook(services, record.fileId)
    if (workbook.sheets.length === 0 && workbook.problems.length === 0) throw new WorkbookRefused('no_rows')
    return await planAndWrite(services, record, mode, workbook)
  } catch (error) {
    if (error instanceof WorkbookRefused) failure = error.failure
    else if (error instanceof SheetError) failure = error.fault
    else {
      log.error({ err: error, workbook: importId }, 'workbook failed')
      failure = 'internal'
    }
  }
  await db
    .updateTable('workbookImports')
    .set({ status: 'failed', failure, finishedAt: clock.now() })
    .where('id', '=', importId)
    .where('status', 'in', ['checking', 'running'])
    .execute()
}

/** Claims the workbook for one worker, even if its job is delivered twice. */
const claim = ({ db, clock }: Services, id: string, mode: Mode) =>
  db
    .updateTable('workbookImports')
    .set({ heartbeatAt: clock.now() })
    .where('id', '=', id)
    .where('status', '=', mode === 'check' ? 'checking' : 'running')
    .where('heartbeatAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

async function planAndWrite(
  services: Services,
  record: WorkbookImport,
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
      await finish(tx, record.id, { status: 'done', finishedAt: now })
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

const finish = (db: Db, id: string, values: { status: 'done'; finishedAt: Date }) =>
  db
    .updateTable('workbookImports')
    .set(values)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()

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
    await tx.deleteFrom('workbookProblems').where('importId', '=', id).execute()
    const rows = problems.map(({ reason, ...problem }, index) => ({
      import_id: id,
      number: index + 1,
      ...problem,
      reason_en: reason.en,
      reason_id: reason.id,
    }))
    await sql`INSERT INTO workbook_problems
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x (import_id uuid, number integer, sheet text,
        row integer, letter text, header text, value text, reason_en text, reason_id text, level text)`.execute(tx)
    await tx
      .updateTable('workbookImports')
      .set({
        ...{ status: 'checked', failure, sheets: JSON.stringify(counts) },
        ...{ problems: countOf(problems, 'problem'), warnings: countOf(problems, 'warning') },
      })
      .where('id', '=', id)
      .where('status', 'in', ['checking', 'running'])
      .execute()
  })
