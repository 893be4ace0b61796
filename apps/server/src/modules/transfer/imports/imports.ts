import { type ExpressionBuilder, sql, type Updateable } from 'kysely'
import type { ImportRecord } from '#domain/transfer/endpoints.ts'
import { entityNames, listImportProblems, listImports } from '#domain/transfer/lists.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import { findEntity, getEntity } from '#entities/index.ts'
import { table } from '#server/list/row-titles.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Database, type Db } from '#server/platform/database/database.ts'
import { refuseSharedToLimited } from '#server/platform/database/shared-rows.ts'
import { conflict, forbidden, notFound } from '#server/platform/errors.ts'
import type { StoredFile } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { titleSql } from '#server/resource/columns.ts'
import { type Acting, captureRights } from './acting.ts'
import { checkImportJob, runImportJob } from './imports.job.ts'
import { problemOrder, problemsOf, problemsWith } from './problem-list.ts'
import { type Import, markInterrupted, moveImport, notLists, recordUpload } from './uploads.ts'

/**
 * Imports of lists the actor may see: their own, or all with `audit-view` and the whole university in view. Workbooks and
 * score files have pages of their own.
 */
const visibleTo = (actor: Actor) => (eb: ExpressionBuilder<Database, 'imports'>) =>
  eb.and([
    eb('imports.entity', 'not in', notLists),
    ...(actor.permissions.has('audit-view') && seesAll(actor) ? [] : [eb('imports.accountId', '=', actor.accountId)]),
  ])

export async function getImport(db: Db, actor: Actor, id: string): Promise<Import> {
  const found = await db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!found) throw notFound('import')
  return found
}

async function parentTitle(db: Db, entity: Entity | undefined, parentId: string | null) {
  if (!parentId || !entity?.parent) return null
  const parent = getEntity(entity.parent.slug)
  const { rows } = await sql<{ title: string }>`
    SELECT ${titleSql(parent)} AS title FROM ${table(parent)} t WHERE t.id = ${parentId}`.execute(db)
  return rows[0]?.title ?? null
}

const iso = (moment: Date | null) => moment?.toISOString() ?? null

export async function toImportRecord(db: Db, row: Import): Promise<ImportRecord> {
  return {
    id: row.id,
    entity: row.entity,
    parentId: row.parentId,
    parentTitle: await parentTitle(db, findEntity(row.entity), row.parentId),
    accountId: row.accountId,
    accountName: row.accountName,
    fileName: row.fileName,
    hasFile: row.fileId !== null,
    format: row.format,
    bytes: row.bytes,
    profile: row.profile,
    status: row.status as ImportRecord['status'],
    failure: row.failure as ImportRecord['failure'],
    cancelRequested: row.cancelRequested,
    percent: row.percent,
    columns: row.columns as ImportRecord['columns'],
    rows: {
      total: row.rowsTotal,
      done: row.rowsDone,
      new: row.rowsNew,
      changed: row.rowsChanged,
      unchanged: row.rowsUnchanged,
      wrong: row.rowsWrong,
    },
    problems: row.problems,
    warnings: row.warnings,
    createdAt: row.createdAt.toISOString(),
    checkedAt: iso(row.checkedAt),
    startedAt: iso(row.startedAt),
    finishedAt: iso(row.finishedAt),
  }
}

/** Lists the imports the actor may see, newest first. */
export const serveImports = (app: App, services: Services) =>
  serveList(app, services, listImports, {
    from: async () => {
      await markInterrupted(services)
      return services.db.selectFrom('imports')
    },
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      entity: 'imports.entity',
      status: 'imports.status',
      q: (q) => (eb) => eb.or([contains('fileName', q), contains('accountName', q)]),
    },
    columns: (rows) => rows.selectAll('imports'),
    sorts: {
      createdAt: { by: sql`imports.created_at`, type: 'timestamptz' },
      entity: { by: sql`imports.entity`, type: 'text' },
      accountName: { by: sql`imports.account_name`, type: 'text' },
    },
    id: sql`imports.id`,
    toRows: (found) =>
      Promise.all(
        found.map(async (row) => ({
          ...(await toImportRecord(services.db, row)),
          rowCount: row.rowsTotal ?? row.rowsDone,
          wrong: row.rowsWrong,
        })),
      ),
    nameOf: (_filter, slug, { language }) => entityNames[slug]?.[language],
  })

/** Lists the problems of an import the actor may see. */
export const serveImportProblems = (app: App, services: Services) =>
  serveList(app, services, listImportProblems, {
    ...problemsOf(services, getImport),
    filters: {
      field: 'p.field',
      level: 'p.level',
      q: (q, reader) => (eb) =>
        eb.or([problemsWith(q, reader)(eb), ...(/^\d{1,9}$/.test(q) ? [eb('p.row', '=', Number(q))] : [])]),
    },
    sorts: { row: problemOrder },
    toRows: (found, { language }) =>
      found.map(({ entity, ...row }) => ({ ...row, column: row.header ?? fieldName(entity, row.field, language) })),
    nameOf: async (_filter, field, { language, params }) => {
      const { entity } = await services.db
        .selectFrom('imports')
        .select('entity')
        .where('id', '=', params.id)
        .executeTakeFirstOrThrow()
      return fieldName(entity, field, language) ?? undefined
    },
  })

const fieldName = (entity: string, field: string | null, language: Language) =>
  findEntity(entity)?.fields[field?.split('.')[0] ?? '']?.label[language] ?? field

type Upload = { entity: Entity; parentId: string | null; file: StoredFile; format: Import['format'] }

/** Records an upload and queues its check in one transaction. */
export async function startImport(context: Context, { entity, ...upload }: Upload): Promise<Import> {
  const { tx, services, actor } = context
  refuseSharedToLimited(entity, actor)
  const acting = captureRights(actor, entity)
  const created = await recordUpload(context, 'import', { ...upload, entity: entity.slug, acting })
  await services.jobs.enqueue(tx, checkImportJob, { importId: created.id })
  return created
}

/** Changes the state of an import and stores the actor's current rights; throws 409 if its state is not in `from`. */
const changeState = (
  tx: Db,
  actor: Actor,
  row: Import,
  from: readonly Import['status'][],
  columns: Updateable<Database['imports']>,
): Promise<Import> => {
  const acting: Acting = captureRights(actor, getEntity(row.entity))
  return moveImport(tx, row.id, from, { ...columns, acting: JSON.stringify(acting) })
}

/** Throws 403 unless the actor started the import; readers of the audit log may only look. */
function requireOwn(actor: Actor, row: Import) {
  if (row.accountId !== actor.accountId) throw forbidden('import')
}

function requireWriteRights(actor: Actor, row: Import, changes: boolean) {
  const entity = getEntity(row.entity)
  refuseSharedToLimited(entity, actor)
  for (const action of changes ? (['create', 'update'] as const) : (['create'] as const)) {
    const slug = permissionOf(entity, action)
    if (!actor.permissions.has(slug)) throw forbidden(slug)
  }
}

export async function checkAgain(services: Services, actor: Actor, id: string): Promise<Import> {
  const { db } = services
  const row = await getImport(db, actor, id)
  requireOwn(actor, row)
  requireWriteRights(actor, row, false)
  if (!row.fileId) throw conflict('import_file_gone')
  return db.transaction().execute(async (tx) => {
    const moved = await changeState(tx, actor, row, ['checked', 'failed', 'cancelled'], {
      status: 'checking',
      failure: null,
      cancelRequested: false,
      heartbeatAt: null,
      percent: 0,
      startedAt: null,
      finishedAt: null,
    })
    await services.jobs.enqueue(tx, checkImportJob, { importId: id })
    return moved
  })
}

/** Starts writing a checked import; a repeated call returns the state. */
export async function startRun(services: Services, actor: Actor, id: string): Promise<Import> {
  const { db, clock } = services
  return db.transaction().execute(async (tx) => {
    // A second call waits here and then reads what the first one wrote.
    await tx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().execute()
    const row = await getImport(tx, actor, id)
    requireOwn(actor, row)
    if (row.status === 'running' || row.status === 'done') return row
    requireWriteRights(actor, row, row.rowsChanged > 0)
    if (row.rowsWrong > 0) throw conflict('import_has_problems', { count: row.rowsWrong })
    if (row.status === 'checked' && row.rowsNew + row.rowsChanged === 0) throw conflict('import_changes_nothing')
    const moved = await changeState(tx, actor, row, ['checked'], {
      status: 'running',
      heartbeatAt: null,
      percent: 0,
      rowsDone: 0,
      startedAt: clock.now(),
    })
    await services.jobs.enqueue(tx, runImportJob, { importId: id })
    await recordAudit(tx, actor, {
      action: 'import.run',
      on: { import: id },
      after: { entity: row.entity, new: row.rowsNew, changed: row.rowsChanged },
    })
    return moved
  })
}

/** Cancels a queued import at once; running work stops at its next batch and is rolled back. */
export async function stopImport(services: Services, actor: Actor, id: string): Promise<Import> {
  const { db, clock } = services
  const row = await getImport(db, actor, id)
  requireOwn(actor, row)
  return db.transaction().execute(async (tx) => {
    const requested = await changeState(tx, actor, row, ['checking', 'running', 'checked'], { cancelRequested: true })
    await recordAudit(tx, actor, { action: 'import.cancel', on: { import: id } })
    if (requested.heartbeatAt !== null && requested.status !== 'checked') return requested
    return tx
      .updateTable('imports')
      .set({ status: 'cancelled', finishedAt: clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
