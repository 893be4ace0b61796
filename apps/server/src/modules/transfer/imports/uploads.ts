import type { FastifyReply } from 'fastify'
import { type NotNull, type Selectable, sql, type Updateable } from 'kysely'
import type { ImportFailure } from '#domain/transfer/import-status.ts'
import type { WorkbookFailure } from '#domain/workbook/status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { discardFile, getFile, type StoredFile } from '#server/platform/files/stored-files.ts'
import { asAttachment } from '#server/platform/http/as-attachment.ts'
import type { Services } from '#server/platform/services.ts'
import { sheetTypes } from '#server/platform/sheets/send-export.ts'
import { SheetError } from '#server/platform/sheets/sheet-reader.ts'
import type { Context } from '#server/platform/use-case.ts'
import { senderOf } from './acting.ts'

export type Import = Selectable<Database['imports']>
export type Mode = 'check' | 'run'

/** Values of `imports.entity` that are no slug of a list. */
export const notLists = ['workbook', 'scores'] as const

type Failure = ImportFailure | WorkbookFailure | 'cancelled'

/** Ends the work: the whole file is refused, or the import was cancelled. */
export class Stop extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure)
    this.failure = failure
  }
}

type Upload = Pick<Import, 'entity' | 'format'> & {
  file: StoredFile
  status?: Import['status']
  parentId?: string | null
  acting?: object
}

/** Records an uploaded file, with the rights that its job works with. */
export async function recordUpload(
  { tx, actor, now }: Omit<Context, 'services'>,
  subject: 'import' | 'workbook' | 'score-import',
  { file, acting = senderOf(actor), ...upload }: Upload,
): Promise<Import> {
  const created = await tx
    .insertInto('imports')
    .values({
      ...upload,
      ...{ fileId: file.id, fileName: file.name, bytes: file.bytes, createdAt: now },
      ...{ accountId: actor.accountId, accountName: actor.name, language: actor.language },
      acting: JSON.stringify(acting),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action: `${subject}.upload`,
    on: { [subject]: created.id },
    after: { ...(subject === 'import' && { entity: upload.entity }), fileName: created.fileName, bytes: created.bytes },
  })
  return created
}

/** Moves an import on; throws 409 if its status is not in `from`. */
export const moveImport = (
  tx: Db,
  id: string,
  from: readonly Import['status'][],
  columns: Updateable<Database['imports']>,
): Promise<Import> =>
  tx
    .updateTable('imports')
    .set(columns)
    .where('id', '=', id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirstOrThrow(() => conflict('wrong_status'))

/**
 * Claims an import for one worker, even if its job is delivered twice, and lets `work` through its file. Whatever `work`
 * throws is stored as the failure of the import.
 */
export async function workOnImport(
  { db, clock, log }: Services,
  id: string,
  mode: Mode,
  work: (record: Import & { fileId: string }) => Promise<void>,
) {
  const record = await db
    .updateTable('imports')
    .set({ heartbeatAt: clock.now(), percent: 0, rowsDone: 0, ...(mode === 'check' && { rowsTotal: null }) })
    .where('id', '=', id)
    .where('status', '=', mode === 'check' ? 'checking' : 'running')
    .where('heartbeatAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!record) return
  try {
    const { fileId } = record
    if (record.cancelRequested) throw new Stop('cancelled')
    if (!fileId) throw new Stop('unreadable')
    await work({ ...record, fileId })
  } catch (error) {
    const failure = error instanceof Stop ? error.failure : error instanceof SheetError ? error.fault : 'internal'
    if (failure === 'internal') log.error({ err: error, import: id }, 'import failed')
    await db
      .updateTable('imports')
      .set(failure === 'cancelled' ? { status: 'cancelled', failure: null } : { status: 'failed', failure })
      .set({ finishedAt: clock.now() })
      .where('id', '=', id)
      .where('status', 'in', ['checking', 'running'])
      .execute()
  }
}

/**
 * Marks imports as failed whose heartbeat is older than two minutes: their server has ended, and their transaction with
 * it. A workbook has ten minutes, because it writes a heartbeat only at its start.
 */
export const markInterrupted = ({ db, clock }: Pick<Services, 'db' | 'clock'>) =>
  db
    .updateTable('imports')
    .set({ status: 'failed', failure: 'interrupted', finishedAt: clock.now() })
    .where('status', 'in', ['checking', 'running'])
    .where(
      sql<boolean>`heartbeat_at < ${clock.now()}::timestamptz - make_interval(mins => CASE entity WHEN 'workbook' THEN 10 ELSE 2 END)`,
    )
    .execute()

const dayMs = 86_400_000
/** Days that uploaded files and their problems are stored. What they wrote can be undone for longer. */
const retentionDays = 30

/** Deletes files and problems after the retention time: those of score files, or all others. The records stay. */
export async function forgetUploads(
  { db, clock }: Services,
  of: 'scores' | 'others',
  alsoForget?: (tx: Tx, id: string) => Promise<unknown>,
) {
  const now = clock.now()
  const expired = await db
    .selectFrom('imports')
    .select(['id', 'fileId'])
    .where('entity', of === 'scores' ? '=' : '<>', 'scores')
    .where('createdAt', '<', new Date(now.getTime() - retentionDays * dayMs))
    .where('status', 'not in', ['checking', 'running'])
    .where('fileId', 'is not', null)
    .$narrowType<{ fileId: NotNull }>()
    .execute()
  for (const { id, fileId } of expired)
    await db.transaction().execute(async (tx) => {
      await discardFile(tx, fileId, now)
      await tx.deleteFrom('importProblems').where('importId', '=', id).execute()
      await alsoForget?.(tx, id)
      await tx.updateTable('imports').set({ fileId: null }).where('id', '=', id).execute()
    })
}

/** Sends the file as it was uploaded; throws 409 once it is deleted. */
export async function sendUpload(
  { db, files }: Services,
  reply: FastifyReply,
  { fileId, fileName, format }: Pick<Import, 'fileId' | 'fileName' | 'format'>,
) {
  if (!fileId) throw conflict('import_file_gone')
  const { storageKey } = await getFile(db, fileId)
  return asAttachment(reply, fileName, sheetTypes[format]).send(await files.read(storageKey))
}
