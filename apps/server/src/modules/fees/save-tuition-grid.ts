import { type CellChange, cellName, type TuitionCell } from '#domain/fees/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, type FieldErrors, forbidden, invalid } from '#server/platform/errors.ts'
import { cellsOf, getProgramme } from './tuition-grid.ts'

type Saving = { programmeId: string; waveId: string; trackId: string | null; cells: readonly CellChange[]; now: Date }
type Counts = { created: number; changed: number; removed: number }
/** A grid being saved; every saved cell raises `counts`. */
type OpenGrid = { tx: Tx; actor: Actor; saving: Saving; counts: Counts }

/** Saves the changed cells of a grid in one transaction; 409 with every cell that has changed since it was read. */
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
      const grid = { tx, actor, saving, counts }
      for (const cell of saving.cells) {
        const before = current.get(cellName(cell))
        if (cell.amount !== null)
          await (before ? changeCell(grid, before, cell, cell.amount) : createCell(grid, cell, cell.amount))
        else if (before) await removeCell(grid, before, cell)
      }
      return counts
    })
  } catch (error) {
    // The same row was added through its own form at the same moment.
    if ((error as { code?: string }).code === '23505') throw new AppError(409, 'stale_version')
    throw error
  }
}

function refuseStale(cells: readonly CellChange[], current: ReadonlyMap<string, TuitionCell>) {
  const stale: FieldErrors = {}
  for (const cell of cells) {
    const stored = current.get(cellName(cell))
    if (stored ? stored.id === cell.base?.id && stored.version === cell.base.version : !cell.base) continue
    stale[cellName(cell)] = stored
      ? { code: 'cell_changed', params: { amount: rupiah(stored.amount) } }
      : { code: 'cell_emptied' }
  }
  if (Object.keys(stale).length > 0) throw new AppError(409, 'stale_version', {}, stale)
}

/** Throws 422 with every unknown component and class; the foreign key would name only the first. */
async function refuseUnknown(tx: Tx, { waveId, trackId, cells }: Saving) {
  const findExisting = async (table: 'feeComponents' | 'classProgrammes' | 'waves' | 'tracks', ids: string[]) =>
    new Set((await tx.selectFrom(table).select('id').where('id', 'in', ids).execute()).map(({ id }) => id))
  const components = await findExisting('feeComponents', [...new Set(cells.map((cell) => cell.feeComponentId))])
  const classes = await findExisting('classProgrammes', [...new Set(cells.map((cell) => cell.classProgrammeId))])
  const problems: FieldErrors = {}
  if (!(await findExisting('waves', [waveId])).has(waveId)) problems.waveId = 'not_found'
  if (trackId && !(await findExisting('tracks', [trackId])).has(trackId)) problems.trackId = 'not_found'
  for (const cell of cells)
    if (!components.has(cell.feeComponentId) || !classes.has(cell.classProgrammeId))
      problems[cellName(cell)] = 'not_found'
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

const keyOf = ({ programmeId, waveId, trackId }: Saving, cell: CellChange) => ({
  programmeId,
  waveId,
  trackId,
  classProgrammeId: cell.classProgrammeId,
  feeComponentId: cell.feeComponentId,
})

async function createCell({ tx, actor, saving, counts }: OpenGrid, cell: CellChange, amount: number) {
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
  await recordAudit(tx, actor, { action: 'uang-kuliah.create', on: { 'uang-kuliah': after.id }, after })
  counts.created++
}

async function changeCell(
  { tx, actor, saving, counts }: OpenGrid,
  before: TuitionCell,
  cell: CellChange,
  amount: number,
) {
  const same = before.amount === amount && before.installmentsAllowed === cell.installmentsAllowed && before.active
  if (same) return
  const after = await tx
    .updateTable('tuitionFees')
    .set({
      amount,
      installmentsAllowed: cell.installmentsAllowed,
      active: true,
      version: before.version + 1,
      updatedAt: saving.now,
      updatedBy: actor.accountId || null,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const previous = { ...keyOf(saving, cell), ...before }
  await recordAudit(tx, actor, {
    action: 'uang-kuliah.update',
    on: { 'uang-kuliah': before.id },
    before: previous,
    after,
  })
  counts.changed++
}

async function removeCell({ tx, actor, saving, counts }: OpenGrid, before: TuitionCell, cell: CellChange) {
  await tx.deleteFrom('tuitionFees').where('id', '=', before.id).execute()
  const previous = { ...keyOf(saving, cell), ...before }
  await recordAudit(tx, actor, { action: 'uang-kuliah.delete', on: { 'uang-kuliah': before.id }, before: previous })
  counts.removed++
}
