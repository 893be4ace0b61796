import { type Selectable, sql } from 'kysely'
import type { ImportFailure } from '#domain/transfer/import-status.ts'
import type { Entity } from '#entities/define/entity.ts'
import { getEntity } from '#entities/index.ts'
import { programmeIdsOf } from '#server/platform/access/row-scope.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { SheetError, type SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { type Acting, actingAs } from './acting.ts'
import { isBlank, isRemark, type Understood, understandHeader } from './import-columns.ts'
import { openSheet } from './import-files.ts'
import { rowPlanner } from './plan/plan-rows.ts'
import { type ProblemSink, problemSink } from './problem-sink.ts'
import { sentenceOf } from './problems.ts'
import { Refused, writeBatch } from './write-batch.ts'

type Import = Selectable<Database['imports']>
type Mode = 'check' | 'run'

const batchSize = 1000
const mostRows = 200_000

/** Ends the work: the whole file is refused, or somebody asked to stop. */
class Stop extends Error {
  readonly failure: ImportFailure | 'cancelled'
  constructor(failure: ImportFailure | 'cancelled') {
    super(failure)
    this.failure = failure
  }
}

/**
 * Works through the file of one import in one transaction. A check tells what would happen and takes everything back; a
 * run keeps it when every row is right and nobody asked to stop, and says so in the same transaction.
 */
export async function workThrough(services: Services, importId: string, mode: Mode): Promise<void> {
  const { db, clock, log } = services
  const record = await claim(services, importId, mode)
  if (!record) return
  let failure: ImportFailure | 'cancelled' | null = null
  try {
    if (record.cancelRequested) throw new Stop('cancelled')
    if (!record.fileId) throw new Stop('unreadable')
    await readAndWrite(services, record, mode, false).catch((error) => {
      if (error instanceof Refused) return readAndWrite(services, record, mode, true)
      throw error
    })
  } catch (error) {
    if (error instanceof Stop) failure = error.failure
    else if (error instanceof SheetError) failure = error.fault
    else {
      log.error({ err: error, import: importId }, 'import failed')
      failure = 'internal'
    }
  }
  if (!failure) return
  await db
    .updateTable('imports')
    .set({
      status: failure === 'cancelled' ? 'cancelled' : 'failed',
      failure: failure === 'cancelled' ? null : failure,
      finishedAt: clock.now(),
    })
    .where('id', '=', importId)
    .where('status', 'in', ['checking', 'running'])
    .execute()
}

/** Only one worker takes an import, also when its job is delivered twice. */
const claim = ({ db, clock }: Services, id: string, mode: Mode) =>
  db
    .updateTable('imports')
    .set({ heartbeatAt: clock.now(), percent: 0, rowsDone: 0, ...(mode === 'check' && { rowsTotal: null }) })
    .where('id', '=', id)
    .where('status', '=', mode === 'check' ? 'checking' : 'running')
    .where('heartbeatAt', 'is', null)
    .returningAll()
    .executeTakeFirst()

async function readAndWrite(services: Services, record: Import, mode: Mode, careful: boolean) {
  const { db, clock } = services
  const { reader, close } = await openSheet(services, record.fileId!, record.format)
  const entity = getEntity(record.entity)
  const { timeZone } = await getSettings(db)
  const acting = record.acting as Acting
  const { mayUpdate } = acting
  const limits = await limitsOf(db, entity, acting)
  const actor = actingAs(record)
  const sink = await problemSink(db, record.id)
  const counts = { new: 0, changed: 0, unchanged: 0, wrong: 0 }
  let done = 0
  let understood: Understood | undefined

  /** Tells how far it is, and learns whether to stop. */
  async function beat(percent: number) {
    const { cancelRequested } = await db
      .updateTable('imports')
      .set({
        heartbeatAt: clock.now(),
        percent: Math.max(0, Math.min(99, Math.floor(percent))),
        rowsDone: done,
        rowsNew: counts.new,
        rowsChanged: counts.changed,
        rowsUnchanged: counts.unchanged,
        rowsWrong: counts.wrong,
        problems: sink.count(),
      })
      .where('id', '=', record.id)
      .where('status', 'in', ['checking', 'running'])
      .returning('cancelRequested')
      .executeTakeFirstOrThrow(() => new Stop('interrupted'))
    if (cancelRequested) throw new Stop('cancelled')
  }

  /** Says what came out, unless somebody has asked to stop at the last moment. */
  async function finish(on: Db) {
    const now = clock.now()
    const { numUpdatedRows } = await on
      .updateTable('imports')
      .set({
        status: mode === 'check' ? 'checked' : 'done',
        failure: null,
        percent: 100,
        rowsTotal: done,
        rowsDone: done,
        rowsNew: counts.new,
        rowsChanged: counts.changed,
        rowsUnchanged: counts.unchanged,
        rowsWrong: counts.wrong,
        problems: sink.count(),
        ...(mode === 'check' ? { checkedAt: now } : { finishedAt: now }),
      })
      .where('id', '=', record.id)
      .where('status', '=', mode === 'check' ? 'checking' : 'running')
      .where('cancelRequested', '=', false)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  const tx = await db.startTransaction().execute()
  /** While one batch of a large table is written, the next is read and planned, beside the transaction. */
  let written = Promise.resolve()
  try {
    await waitForTurn(tx, entity, () => beat(0))
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
    // What a text index has not sorted in yet is looked through as it is, until the next vacuum: 20 ms for 26,780 rows.
    if (entity.large) await sql`SET LOCAL gin_pending_list_limit = '64MB'`.execute(tx)
    const by = { actor, now: clock.now(), reason: `Import: ${record.fileName}`, audit: mode === 'run' }
    let plan: ReturnType<typeof rowPlanner> | undefined

    async function take(lines: readonly SheetLine[]) {
      if (!entity.large) await written
      const plannedLines = await plan!(entity.large ? db : tx, lines)
      await written
      written = write(lines, plannedLines)
      // Told where it is waited for.
      written.catch(() => {})
    }

    type Planned = Awaited<ReturnType<NonNullable<typeof plan>>>
    async function write(lines: readonly SheetLine[], { planned, problems }: Planned) {
      // Large tables have only rules that are checked before; the others try what the database itself says.
      const writes = mode === 'run' || !entity.large
      const refused = writes ? await writeBatch(tx, entity, planned, by, careful) : []
      const wrongRows = new Set([...problems, ...refused].map(({ row }) => row))
      for (const { action, number } of planned) if (!wrongRows.has(number)) counts[action]++
      counts.wrong += wrongRows.size
      done += lines.length
      await sink.add([...problems, ...refused])
      if (done > mostRows) throw new Stop('too_many_rows')
      await beat(100 * (mode === 'run' && record.rowsTotal ? done / record.rowsTotal : reader.progress()))
    }

    let batch: SheetLine[] = []
    for await (const line of reader.lines) {
      if (isBlank(line.cells) || isRemark(line.cells)) continue
      if (!understood) {
        understood = understandHeader(entity, line.cells, record.parentId !== null)
        await noteColumns(db, record, understood)
        await refuseHeader(entity, understood, line, sink)
        plan = rowPlanner({ entity, understood, parentId: record.parentId, mayUpdate, limits, timeZone })
        continue
      }
      batch.push(line)
      if (batch.length < batchSize) continue
      await take(batch)
      batch = []
    }
    if (batch.length > 0) await take(batch)
    await written
    if (!understood || done === 0) throw new Stop('no_rows')
    await sink.flush()
    if (mode === 'run' && counts.wrong > 0) {
      await beat(99)
      throw new Stop('rows_refused')
    }
    const finished = await finish(mode === 'run' ? tx : db)
    if (!finished) throw new Stop('cancelled')
    if (mode === 'run') await tx.commit().execute()
  } finally {
    await written.catch(() => {})
    await sink.flush()
    if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
    await close()
  }
}

/** What the role is limited to; null when it is not, or the entity belongs to no programme. */
async function limitsOf(db: Db, { scope: by }: Entity, acting: Acting) {
  const programmeIds = programmeIdsOf(acting)
  if (!by || !programmeIds) return null
  if (by.by === 'programme') return new Set(programmeIds)
  const rows = await db
    .selectFrom('studyProgrammes')
    .select('facultyId')
    .where('id', 'in', [...programmeIds, noProgramme])
    .execute()
  return new Set(rows.map(({ facultyId }) => facultyId))
}
const noProgramme = '00000000-0000-0000-0000-000000000000'

/** Two imports of the same table come one after the other: the second sees what the first has written. */
async function waitForTurn(tx: Db, entity: Entity, beat: () => Promise<void>) {
  for (;;) {
    const { rows } = await sql<{ mine: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('import'), hashtext(${entity.table})) AS mine`.execute(tx)
    if (rows[0]!.mine) return
    await beat()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

const noteColumns = (db: Db, { id }: Import, { columns, unknown, missing, profile }: Understood) =>
  db
    .updateTable('imports')
    .set({
      columns: JSON.stringify({ found: columns.map(({ header, key }) => ({ header, key })), unknown, missing }),
      profile: profile?.key ?? null,
    })
    .where('id', '=', id)
    .execute()

/** A header from which no row could be understood is told once, not in every row. */
async function refuseHeader(entity: Entity, understood: Understood, line: SheetLine, sink: ProblemSink) {
  const refuse = async (failure: ImportFailure, params: Record<string, unknown>, field: string | null = null) => {
    await sink.add([
      { row: line.number, field, header: null, value: null, reason: sentenceOf({ key: `file.${failure}`, params }) },
    ])
    throw new Stop(failure)
  }
  if (understood.columns.length === 0) await refuse('no_known_column', {})
  if (understood.twice) await refuse('column_twice', { ...understood.twice })
  const code = Object.entries(entity.fields).find(([, field]) => field.kind === 'code')
  if (code && understood.missing.includes(code[0]))
    await refuse('key_column_missing', { field: code[1].label }, code[0])
}
