import { sql } from 'kysely'
import { mustGet } from '#domain/must.ts'
import { workbookSheets } from '#domain/workbook/sheets.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import type { Row } from '#entities/define/row.ts'
import { table } from '#server/list/row-titles.ts'
import { type Import, moveImport } from '#server/modules/transfer/imports/uploads.ts'
import { writeBatch } from '#server/modules/transfer/imports/work/write-batch.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import type { Db, OpenTx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { sentences } from '#server/platform/text.ts'
import { columnsOf, toRow } from '#server/resource/columns.ts'
import { usersOf } from '#server/resource/users.ts'
import { lockSheets } from './work-on-workbook.ts'
import { getWorkbookImport, requireRights } from './workbook-imports.ts'

type Undoing = { actor: Actor; language: Language; now: Date }
type WrittenRow = { entity: string; rowId: string; version: number; before: Row | null }
type Reason = { sheet: string; row: string; reason: string }
type Outcome = { deleted: number; restored: number; editedSince: number; reasons: Reason[] }

/** Tries the undo and rolls back; returns what it would delete and restore, and every reason against it. */
export async function previewUndo(db: Db, id: string, undoing: Undoing): Promise<Outcome> {
  const { outcome } = await attemptUndo(db, id, undoing, false)
  return outcome
}

/** Undoes a written workbook completely; throws 409 `workbook_rows_used` if there is a reason against it. */
export async function undoWorkbook(db: Db, id: string, undoing: Undoing): Promise<Import> {
  const { outcome, record } = await attemptUndo(db, id, undoing, true)
  if (outcome.reasons.length > 0)
    throw conflict('workbook_rows_used', {
      count: outcome.reasons.length,
      reasons: outcome.reasons.map(({ sheet, row, reason }) => `${sheet}, ${row}: ${reason}`).join(' '),
    })
  return record
}

async function attemptUndo(db: Db, id: string, undoing: Undoing, commits: boolean) {
  const { actor, now } = undoing
  requireRights(actor, ['create', 'update'])
  await getWorkbookImport(db, actor, id)
  const tx = await db.startTransaction().execute()
  try {
    await lockSheets(tx)
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
    const record = await moveImport(tx, id, ['done'], { status: 'undone', undoneAt: now, undoneBy: actor.name })
    const written = (await tx
      .selectFrom('workbookRows')
      .select(['entity', 'rowId', 'version', 'before'])
      .where('importId', '=', id)
      .execute()) as WrittenRow[]
    const outcome: Outcome = { deleted: 0, restored: 0, editedSince: 0, reasons: [] }
    const bySheet = Map.groupBy(written, ({ entity }) => entity)
    for (const entity of workbookSheets)
      await restoreRows(tx, entity, bySheet.get(entity.slug) ?? [], undoing, record, outcome)
    for (const entity of workbookSheets.toReversed())
      await deleteRows(tx, entity, bySheet.get(entity.slug) ?? [], undoing, outcome)
    if (commits && outcome.reasons.length === 0) {
      const { deleted, restored } = outcome
      await recordAudit(tx, actor, {
        action: 'workbook.undo',
        on: { workbook: id },
        after: { fileName: record.fileName, deleted, restored },
      })
      await tx.commit().execute()
    }
    return { outcome, record }
  } finally {
    if (!tx.isCommitted) await tx.rollback().execute()
  }
}

/** Restores the previous values of changed rows, unless somebody has changed them since. */
async function restoreRows(
  tx: OpenTx,
  entity: Entity,
  written: readonly WrittenRow[],
  { actor, now, language }: Undoing,
  { fileName }: Import,
  outcome: Outcome,
) {
  const changed = written.flatMap(({ before, ...row }) => (before ? [{ ...row, before }] : []))
  const present = await findRows(
    tx,
    entity,
    changed.map(({ rowId }) => rowId),
  )
  const refuse = (row: Row, reason: string) => outcome.reasons.push(reasonOf(entity, row, reason, language))
  const planned = changed.flatMap(({ rowId, version, before }, number) => {
    const row = present.get(rowId)
    if (row?.version === version)
      return [{ number, action: 'changed' as const, id: rowId, input: valuesOf(entity, before), before: row }]
    refuse(
      row ?? before,
      sentences(language)(row ? 'workbook:undo.changedSince' : 'workbook:undo.deletedSince', {
        name: row?.titles.updatedBy ?? '',
      }),
    )
    return []
  })
  const by = { actor, now, reason: `Workbook undone: ${fileName}`, audit: true }
  const refused = await writeBatch(tx, entity, planned, by, true)
  for (const { row: number, reason } of refused) refuse(changed[number]!.before, reason[language])
  outcome.restored += planned.length - refused.length
}

const valuesOf = ({ fields }: Entity, row: Row) =>
  Object.fromEntries(
    Object.entries(row).filter(([key]) => key === 'active' || (fields[key] && fields[key].kind !== 'file')),
  )

/**
 * Deletes added rows that nothing uses; rows of later sheets that used them are already gone. Skips rows deleted since.
 */
async function deleteRows(
  tx: OpenTx,
  entity: Entity,
  written: readonly WrittenRow[],
  { actor, language }: Undoing,
  outcome: Outcome,
) {
  const added = written.filter(({ before }) => before === null)
  const present = await findRows(
    tx,
    entity,
    added.map(({ rowId }) => rowId),
  )
  const ids = [...present.keys()]
  if (ids.length === 0) return
  const users = await usersOf(tx, entity, ids, language)
  for (const [id, what] of users)
    outcome.reasons.push(
      reasonOf(entity, mustGet(present, id), sentences(language)('workbook:undo.used', { users: what }), language),
    )
  outcome.editedSince += added.filter(({ rowId, version }) => {
    const row = present.get(rowId)
    return row && row.version !== version
  }).length
  const unused = ids.filter((id) => !users.has(id))
  await sql`DELETE FROM ${table(entity)} WHERE id = ANY(${unused}::uuid[])`.execute(tx)
  await recordAudits(
    tx,
    actor,
    unused.map((id) => ({
      action: `${entity.slug}.delete`,
      on: { [entity.slug]: id },
      before: mustGet(present, id),
    })),
  )
  outcome.deleted += unused.length
}

async function findRows(tx: OpenTx, entity: Entity, ids: readonly string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)} FROM ${table(entity)} t WHERE t.id = ANY(${ids}::uuid[]) FOR UPDATE OF t`.execute(tx)
  return new Map(rows.map(toRow).map((row) => [row.id, row]))
}

/** Names a row by its title, or without a title by the rows it refers to. */
function reasonOf(entity: Entity, row: Row, reason: string, language: Language): Reason {
  const title = entity.titleFields.map((key) => row[key])
  const references = Object.keys(entity.fields).map((key) => row.titles[key])
  const name = (title.length > 0 ? title : references).filter(Boolean).join(' · ')
  return { sheet: entity.label.many[language], row: name, reason }
}
