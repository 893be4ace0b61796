import { type CellChange, cellName, type TuitionCell } from '#domain/fees/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, type FieldErrors, forbidden, invalid } from '#server/platform/errors.ts'
import { cellsOf, getProgramme } from './tuition-grid.ts'

type Saving = { programmeId: string; waveId: string; trackId: string | null; cells: readonly CellChange[]; now: Date }
type Counts = { created: number; changed: number; removed: number }

/** Saves the changed cells of a grid together or not at all; every cell that somebody else changed is named. */
export async function saveGrid(db: Db, actor: Actor, saving: Saving): Promise<Counts> {
  try {
    return await db.transaction().execute(async (tx) => {
      await getProgramme(tx, actor, saving.programmeId, true)
      const rows = await cellsOf(tx, saving.programmeId, saving.waveId, saving.trackId).forUpdate().execute()
      const current = new Map(rows.map((row) => [cellName(row), row]))
      refuseStale(saving.cells, current)
      await refuseUnknown(tx, saving)
      if (saving.cells.some((cell) => !cell.base && cell.amount !== null))
        if (!actor.permissions.has('master-uang-kuliah-create')) throw forbidden('master-uang-kuliah-create')
      const counts: Counts = { created: 0, changed: 0, removed: 0 }
      for (const cell of saving.cells) {
        const before = current.get(cellName(cell))
        if (before) await (cell.amount === null ? removeCell : changeCell)(tx, actor, saving, before, cell, counts)
        else if (cell.amount !== null) await createCell(tx, actor, saving, cell, cell.amount, counts)
      }
      return counts
    })
  } catch (error) {
    // Somebody added the very row through its own form at the same moment.
    if ((error as { code?: string }).code === '23505') throw new AppError(409, 'stale_version')
    throw error
  }
}

function refuseStale(cells: readonly CellChange[], current: ReadonlyMap<string, TuitionCell>) {
  const stale: FieldErrors = {}
  for (const cell of cells) {
    const theirs = current.get(cellName(cell))
    if (theirs ? theirs.id === cell.base?.id && theirs.version === cell.base.version : !cell.base) continue
    stale[cellName(cell)] = theirs
      ? { code: 'cell_changed', params: { amount: rupiah(theirs.amount) } }
      : { code: 'cell_emptied' }
  }
  if (Object.keys(stale).length > 0) throw new AppError(409, 'stale_version', {}, stale)
}

/** Components and classes that do not exist are refused one by one, not by whichever the database meets first. */
async function refuseUnknown(tx: Tx, { waveId, trackId, cells }: Saving) {
  const known = async (table: 'feeComponents' | 'classProgrammes' | 'waves' | 'tracks', ids: string[]) =>
    new Set((await tx.selectFrom(table).select('id').where('id', 'in', ids).execute()).map(({ id }) => id))
  const components = await known('feeComponents', [...new Set(cells.map((cell) => cell.feeComponentId))])
  const classes = await known('classProgrammes', [...new Set(cells.map((cell) => cell.classProgrammeId))])
  const unknown: FieldErrors = {}
  if (!(await known('waves', [waveId])).has(waveId)) unknown.waveId = 'not_found'
  if (trackId && !(await known('tracks', [trackId])).has(trackId)) unknown.trackId = 'not_found'
  for (const cell of cells)
    if (!components.has(cell.feeComponentId) || !classes.has(cell.classProgrammeId))
      unknown[cellName(cell)] = 'not_found'
  if (Object.keys(unknown).length > 0) throw invalid(unknown)
}

const keyOf = ({ programmeId, waveId, trackId }: Saving, cell: CellChange) => ({
  programmeId,
  waveId,
  trackId,
  classProgrammeId: cell.classProgrammeId,
  feeComponentId: cell.feeComponentId,
})

async function createCell(tx: Tx, actor: Actor, saving: Saving, cell: CellChange, amount: number, counts: Counts) {
  const by = actor.accountId || null
  const values = {
    ...keyOf(saving, cell),
    amount,
    installmentsAllowed: cell.installmentsAllowed,
    active: true,
    version: 1,
    createdAt: saving.now,
    updatedAt: saving.now,
    createdBy: by,
    updatedBy: by,
  }
  const after = await tx.insertInto('tuitionFees').values(values).returningAll().executeTakeFirstOrThrow()
  await recordAudit(tx, actor, 'uang-kuliah.create', { type: 'uang-kuliah', id: after.id }, { after })
  counts.created++
}

async function changeCell(tx: Tx, actor: Actor, saving: Saving, before: TuitionCell, cell: CellChange, counts: Counts) {
  const same = before.amount === cell.amount && before.installmentsAllowed === cell.installmentsAllowed && before.active
  if (same) return
  const after = await tx
    .updateTable('tuitionFees')
    .set({
      amount: cell.amount!,
      installmentsAllowed: cell.installmentsAllowed,
      active: true,
      version: before.version + 1,
      updatedAt: saving.now,
      updatedBy: actor.accountId || null,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const was = { ...keyOf(saving, cell), ...before }
  await recordAudit(tx, actor, 'uang-kuliah.update', { type: 'uang-kuliah', id: before.id }, { before: was, after })
  counts.changed++
}

async function removeCell(tx: Tx, actor: Actor, saving: Saving, before: TuitionCell, cell: CellChange, counts: Counts) {
  await tx.deleteFrom('tuitionFees').where('id', '=', before.id).execute()
  const was = { ...keyOf(saving, cell), ...before }
  await recordAudit(tx, actor, 'uang-kuliah.delete', { type: 'uang-kuliah', id: before.id }, { before: was })
  counts.removed++
}
