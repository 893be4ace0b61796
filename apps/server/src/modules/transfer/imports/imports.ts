import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely'
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
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { titleSql } from '#server/resource/columns.ts'
import { type Acting, captureRights } from './acting.ts'
import { checkImportJob, runImportJob } from './imports.job.ts'
import { markInterruptedUploads } from './uploads.ts'

type Import = Selectable<Database['imports']>

/** Milliseconds without a heartbeat after which work counts as interrupted, because its server has ended. */
const interruptedAfterMs = 2 * 60_000

/** Imports the actor may see: their own, or all with `audit-view` and the whole university in view. */
const visibleTo = (actor: Actor) => (eb: ExpressionBuilder<Database, 'imports'>) =>
  actor.permissions.has('audit-view') && seesAll(actor) ? eb.lit(true) : eb('imports.accountId', '=', actor.accountId)

/** Marks interrupted imports as failed. They have written nothing: their transaction ended with the server. */
export const markInterrupted = (services: Pick<Services, 'db' | 'clock'>) =>
  markInterruptedUploads(services, 'imports', interruptedAfterMs)

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
    status: row.status,
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
    from: () => services.db.selectFrom('importProblems as p').innerJoin('imports as i', 'i.id', 'p.importId'),
    scope: async ({ actor, params }) => {
      const { id } = await getImport(services.db, actor, params.id)
      return (eb) => eb('p.importId', '=', id)
    },
    filters: {
      field: 'p.field',
      level: 'p.level',
      q:
        (q, { language }) =>
        (eb) =>
          eb.or([
            contains(reasonColumns[language], q),
            contains('p.value', q),
            contains('p.header', q),
            ...(/^\d{1,9}$/.test(q) ? [eb('p.row', '=', Number(q))] : []),
          ]),
    },
    columns: (rows, { language }) =>
      rows
        .select(['p.number', 'p.level', 'p.row', 'p.field', 'p.header', 'p.value', 'i.entity'])
        .select((eb) => eb.ref(reasonColumns[language]).as('reason')),
    sorts: { row: { by: sql`p.number`, type: 'integer' } },
    id: sql`p.number`,
    idType: 'bigint',
    exact: true,
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

const reasonColumns = { en: 'p.reasonEn', id: 'p.reasonId' } as const

const fieldName = (entity: string, field: string | null, language: Language) =>
  findEntity(entity)?.fields[field?.split('.')[0] ?? '']?.label[language] ?? field

type Upload = {
  entity: Entity
  parentId: string | null
  fileId: string
  fileName: string
  format: Import['format']
  bytes: number
}

/** Records an upload and queues its check in one transaction. */
export async function startImport({ tx, services, actor, now }: Context, upload: Upload): Promise<Import> {
  const { entity, ...file } = upload
  refuseSharedToLimited(entity, actor)
  const created = await tx
    .insertInto('imports')
    .values({
      ...file,
      entity: entity.slug,
      accountId: actor.accountId,
      accountName: actor.name,
      language: actor.language,
      acting: JSON.stringify(captureRights(actor, entity)),
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await services.jobs.enqueue(tx, checkImportJob, { importId: created.id })
  await recordAudit(tx, actor, {
    action: 'import.upload',
    on: { import: created.id },
    after: { entity: entity.slug, fileName: created.fileName, bytes: created.bytes },
  })
  return created
}

/** Changes the state of an import and stores the actor's current rights; throws 409 if its state is not in `from`. */
async function changeState(
  tx: Db,
  actor: Actor,
  row: Import,
  from: readonly Import['status'][],
  columns: Updateable<Database['imports']>,
): Promise<Import> {
  const acting: Acting = captureRights(actor, getEntity(row.entity))
  const moved = await tx
    .updateTable('imports')
    .set({ ...columns, acting: JSON.stringify(acting) })
    .where('id', '=', row.id)
    .where('status', 'in', [...from])
    .returningAll()
    .executeTakeFirst()
  if (!moved) throw conflict('wrong_status')
  return moved
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
