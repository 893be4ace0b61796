import crypto from 'node:crypto'
import type { z } from 'zod'
import { adjustAmount } from '#domain/fees/amounts.ts'
import type { previewTuitionCopy, TuitionCopy } from '#domain/fees/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeIdsOf } from '#server/platform/access/row-scope.ts'
import { recordAudit, recordAudits } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, forbidden, invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'

type CopyRequest = z.output<(typeof previewTuitionCopy)['body']>

const keyOf = (row: {
  programmeId: string
  classProgrammeId: string
  trackId: string | null
  feeComponentId: string
}) => [row.programmeId, row.classProgrammeId, row.trackId ?? '', row.feeComponentId].join()

/** Rows of a wave whose programme, class, track and component are active. */
const rowsOf = (db: Db, actor: Actor, waveId: string) => {
  const programmes = programmeIdsOf(actor)
  return db
    .selectFrom('tuitionFees as f')
    .innerJoin('studyProgrammes as p', 'p.id', 'f.programmeId')
    .innerJoin('classProgrammes as c', 'c.id', 'f.classProgrammeId')
    .innerJoin('feeComponents as k', 'k.id', 'f.feeComponentId')
    .leftJoin('tracks as t', 't.id', 'f.trackId')
    .selectAll('f')
    .select(['p.code as programmeCode', 'p.name as programmeName', 'c.name as className', 't.name as trackName'])
    .where('f.waveId', '=', waveId)
    .where((eb) =>
      programmes === null || programmes.length === 0
        ? eb.lit(programmes === null)
        : eb('f.programmeId', 'in', programmes),
    )
    .where((eb) => eb.or([eb('f.trackId', 'is', null), eb('t.active', '=', true)]))
    .where('p.active', '=', true)
    .where('c.active', '=', true)
    .where('k.active', '=', true)
    .orderBy('p.code')
    .orderBy('c.code')
    .orderBy('t.code', (order) => order.asc().nullsFirst())
    .orderBy('k.allocationPriority')
    .orderBy('k.code')
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

/** A cell of the old wave, the one `now` in its place in the new wave, and the amount to save there. */
type Cell = { row: Row; amount: number } & (
  | { now: undefined; outcome: 'added' }
  | { now: Row; outcome: 'replaced' | 'kept' | 'unchanged' }
)
type Outcome = Cell['outcome']

/** Plans the outcome in the new wave for each cell of the old one. */
async function planCopy(db: Db, actor: Actor, { fromWaveId, toWaveId, adjustment, existing }: CopyRequest) {
  const waves = await db.selectFrom('waves').select('id').where('id', 'in', [fromWaveId, toWaveId]).execute()
  const unknown = Object.entries({ fromWaveId, toWaveId }).filter(([, id]) => !waves.some((wave) => wave.id === id))
  if (unknown.length > 0) throw invalid(Object.fromEntries(unknown.map(([field]) => [field, 'not_found' as const])))
  const source = await rowsOf(db, actor, fromWaveId).where('f.active', '=', true).execute()
  const target = await rowsOf(db, actor, toWaveId).execute()
  const targetByKey = new Map(target.map((row) => [keyOf(row), row]))
  const cells = source.map((row): Cell => {
    const now = targetByKey.get(keyOf(row))
    const amount = adjustAmount(row.amount, adjustment)
    if (!now) return { row, now, amount, outcome: 'added' }
    const same = now.active && now.amount === amount && now.installmentsAllowed === row.installmentsAllowed
    return { row, now, amount, outcome: same ? 'unchanged' : existing === 'replace' ? 'replaced' : 'kept' }
  })
  const writes = cells.map(({ row, now, amount, outcome }) => [keyOf(row), now?.version ?? 0, amount, outcome])
  const fingerprint = crypto.createHash('sha256').update(JSON.stringify(writes)).digest('base64url')
  return { cells, target, fingerprint }
}

type Plan = Awaited<ReturnType<typeof planCopy>>

const count = (cells: Plan['cells'], outcome: Outcome) => cells.filter((cell) => cell.outcome === outcome).length
const countAll = (cells: Plan['cells']) => ({
  added: count(cells, 'added'),
  replaced: count(cells, 'replaced'),
  kept: count(cells, 'kept'),
  unchanged: count(cells, 'unchanged'),
})
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

function toTuitionCopy({ cells, target, fingerprint }: Plan): TuitionCopy {
  const classKey = (row: { classProgrammeId: string; trackId: string | null }) =>
    `${row.classProgrammeId},${row.trackId}`
  const programmes = [...Map.groupBy(cells, ({ row }) => row.programmeId)].map(([id, programmeCells]) => {
    const { programmeCode: code, programmeName: name } = programmeCells[0]!.row
    const classes = [...Map.groupBy(programmeCells, ({ row }) => classKey(row))].map(([key, classCells]) => {
      const { className: classProgramme, trackName: track } = classCells[0]!.row
      const targetRows = target.filter((row) => row.programmeId === id && classKey(row) === key && row.active)
      const untouched = targetRows.filter((row) => !classCells.some((cell) => cell.now?.id === row.id))
      return {
        classProgramme,
        track,
        from: sum(classCells.map(({ row }) => row.amount)),
        now: sum(targetRows.map((row) => row.amount)),
        willBe:
          sum(untouched.map((row) => row.amount)) +
          sum(
            classCells.map((cell) => (cell.outcome === 'kept' ? (cell.now.active ? cell.now.amount : 0) : cell.amount)),
          ),
      }
    })
    return { id, code, name, ...countAll(programmeCells), classes }
  })
  return { programmes, ...countAll(cells), fingerprint }
}

export const previewCopy = async (db: Db, actor: Actor, request: CopyRequest) =>
  toTuitionCopy(await planCopy(db, actor, request))

/** Applies the previewed plan in one transaction; 409 `preview_changed` if the data changed since. */
export const runCopy = (db: Db, actor: Actor, request: CopyRequest & { fingerprint: string }, now: Date) =>
  db.transaction().execute(async (tx) => {
    const programmes = programmeIdsOf(actor)
    // Saving the grid takes the same locks, so nothing changes between reading and writing.
    await tx
      .selectFrom('studyProgrammes')
      .select('id')
      .$call((query) => (programmes === null || programmes.length === 0 ? query : query.where('id', 'in', programmes)))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const plan = await planCopy(tx, actor, request)
    if (plan.fingerprint !== request.fingerprint) throw conflict('preview_changed')
    if (plan.cells.some(({ outcome }) => outcome === 'replaced') && !actor.permissions.has('master-uang-kuliah-edit'))
      throw forbidden('master-uang-kuliah-edit')
    await addCells({ tx, actor, now }, plan, request.toWaveId)
    await replaceCells({ tx, actor, now }, plan)
    return toTuitionCopy(plan)
  })

async function addCells({ tx, actor, now }: Omit<Context, 'services'>, { cells }: Plan, waveId: string) {
  const by = actor.accountId || null
  const stamp = { createdAt: now, updatedAt: now, createdBy: by, updatedBy: by }
  const values = cells
    .filter(({ outcome }) => outcome === 'added')
    .map(({ row: { programmeId, classProgrammeId, trackId, feeComponentId, installmentsAllowed }, amount }) => {
      const key = { programmeId, waveId, classProgrammeId, trackId, feeComponentId }
      return { ...key, amount, installmentsAllowed, ...stamp }
    })
  for (let start = 0; start < values.length; start += 500) {
    const added = await tx
      .insertInto('tuitionFees')
      .values(values.slice(start, start + 500))
      .returningAll()
      .execute()
    await recordAudits(
      tx,
      actor,
      added.map((after) => ({ action: 'uang-kuliah.create', on: { 'uang-kuliah': after.id }, after })),
    )
  }
}

async function replaceCells({ tx, actor, now }: Omit<Context, 'services'>, { cells }: Plan) {
  for (const cell of cells) {
    if (cell.outcome !== 'replaced') continue
    const { row, now: before, amount } = cell
    const after = await tx
      .updateTable('tuitionFees')
      .set({
        amount,
        installmentsAllowed: row.installmentsAllowed,
        active: true,
        version: before.version + 1,
        updatedAt: now,
        updatedBy: actor.accountId || null,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const { programmeCode: _, programmeName: __, className: ___, trackName: ____, ...was } = before
    await recordAudit(tx, actor, { action: 'uang-kuliah.update', on: { 'uang-kuliah': after.id }, before: was, after })
  }
}
