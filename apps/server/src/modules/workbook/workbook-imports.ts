import { type ExpressionBuilder, sql } from 'kysely'
import type { SheetCounts, WorkbookRecord } from '#domain/workbook/endpoints.ts'
import { listWorkbookImports, listWorkbookProblems } from '#domain/workbook/lists.ts'
import { workbookSheets } from '#domain/workbook/sheets.ts'
import { discardable, mayWrite } from '#domain/workbook/status.ts'
import { type EntityAction, permissionOf } from '#entities/define/entity.ts'
import { serveList } from '#server/list/serve-list.ts'
import { senderOf } from '#server/modules/transfer/imports/acting.ts'
import { problemOrder, problemsOf, problemsWith } from '#server/modules/transfer/imports/problem-list.ts'
import { type Import, markInterrupted, moveImport, recordUpload } from '#server/modules/transfer/imports/uploads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Database, type Db } from '#server/platform/database/database.ts'
import { ofWholeView, requireWholeView } from '#server/platform/database/shared-rows.ts'
import { conflict, forbidden, notFound } from '#server/platform/errors.ts'
import { discardFile, type StoredFile } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { workOnWorkbookJob } from './workbook.job.ts'

/** Throws 403 unless the actor has these rights on every sheet: a workbook covers the whole university. */
export function requireRights(actor: Actor, actions: readonly EntityAction[]) {
  requireWholeView(actor, 'needs_every_programme')
  for (const entity of workbookSheets)
    for (const action of actions)
      if (!actor.permissions.has(permissionOf(entity, action))) throw forbidden(permissionOf(entity, action))
}

const ofWorkbooks = (eb: ExpressionBuilder<Database, 'imports'>) => eb('imports.entity', '=', 'workbook')

export async function getWorkbookImport(db: Db, actor: Actor, id: string): Promise<Import> {
  requireWholeView(actor, 'needs_every_programme')
  const found = await db.selectFrom('imports').selectAll().where('id', '=', id).where(ofWorkbooks).executeTakeFirst()
  if (!found) throw notFound('workbook')
  return found
}

const sumOf = (sheets: readonly SheetCounts[], key: Exclude<keyof SheetCounts, 'slug'>) =>
  sheets.reduce((sum, sheet) => sum + sheet[key], 0)

export function toWorkbookRecord(row: Import): WorkbookRecord {
  const sheets = row.sheets as SheetCounts[]
  return {
    id: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    fileName: row.fileName,
    hasFile: row.fileId !== null,
    bytes: row.bytes,
    status: row.status as WorkbookRecord['status'],
    failure: row.failure as WorkbookRecord['failure'],
    sheets,
    rows: {
      new: sumOf(sheets, 'new'),
      changed: sumOf(sheets, 'changed'),
      unchanged: sumOf(sheets, 'unchanged'),
      wrong: sumOf(sheets, 'wrong'),
      waiting: sumOf(sheets, 'waiting'),
    },
    problems: row.problems,
    warnings: row.warnings,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    undoneBy: row.undoneBy,
  }
}

export const serveWorkbookImports = (app: App, services: Services) =>
  serveList(app, services, listWorkbookImports, {
    from: async () => {
      await markInterrupted(services)
      return services.db.selectFrom('imports').where(ofWorkbooks)
    },
    scope: ofWholeView('needs_every_programme'),
    filters: {
      status: 'imports.status',
      q: (q) => (eb) => eb.or([contains('fileName', q), contains('accountName', q)]),
    },
    columns: (rows) => rows.selectAll('imports'),
    sorts: { createdAt: { by: sql`imports.created_at`, type: 'timestamptz' } },
    id: sql`imports.id`,
    toRows: (found) =>
      found.map((row) => {
        const record = toWorkbookRecord(row)
        return { ...record, new: record.rows.new, changed: record.rows.changed }
      }),
  })

export const serveWorkbookProblems = (app: App, services: Services) =>
  serveList(app, services, listWorkbookProblems, {
    ...problemsOf(services, getWorkbookImport),
    filters: { q: problemsWith },
    sorts: { sheet: problemOrder },
  })

/** Records an upload and queues its check in one transaction. */
export async function startWorkbook(context: Context, file: StoredFile) {
  const { tx, services } = context
  const created = await recordUpload(context, 'workbook', { entity: 'workbook', format: 'xlsx', file })
  await services.jobs.enqueue(tx, workOnWorkbookJob, { importId: created.id, mode: 'check' })
  return created
}

/** Starts writing a checked workbook; a repeated call returns the state. */
export async function startRun(services: Services, actor: Actor, id: string): Promise<Import> {
  const { db, clock } = services
  requireRights(actor, ['create', 'update'])
  return db.transaction().execute(async (tx) => {
    // A second call waits here and then reads what the first one wrote.
    await tx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().execute()
    const row = await getWorkbookImport(tx, actor, id)
    if (row.status === 'running' || row.status === 'done') return row
    const record = toWorkbookRecord(row)
    if (row.problems > 0) throw conflict('workbook_has_problems', { count: row.problems })
    if (row.status === 'checked' && !mayWrite(record)) throw conflict('import_changes_nothing')
    if (!row.fileId) throw conflict('import_file_gone')
    const moved = await moveImport(tx, id, ['checked'], {
      ...{ status: 'running', failure: null, heartbeatAt: null, acting: JSON.stringify(senderOf(actor)) },
      ...{ accountId: actor.accountId, accountName: actor.name },
    })
    await services.jobs.enqueue(tx, workOnWorkbookJob, { importId: id, mode: 'run' })
    const { new: added, changed } = record.rows
    await recordAudit(tx, actor, {
      action: 'workbook.run',
      on: { workbook: id },
      after: { fileName: row.fileName, new: added, changed, at: clock.now().toISOString() },
    })
    return moved
  })
}

/** Deletes a workbook that has written nothing; throws 409 while it is being processed and once it was written. */
export async function discardWorkbook({ db, clock }: Services, actor: Actor, id: string) {
  requireRights(actor, ['create', 'update'])
  await getWorkbookImport(db, actor, id)
  await db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('imports')
      .where('id', '=', id)
      .where('status', 'in', discardable)
      .returning(['fileId', 'fileName'])
      .executeTakeFirst()
    if (!removed) throw conflict('wrong_status')
    if (removed.fileId) await discardFile(tx, removed.fileId, clock.now())
    await recordAudit(tx, actor, {
      action: 'workbook.discard',
      on: { workbook: id },
      before: { fileName: removed.fileName },
    })
  })
  return { id }
}
