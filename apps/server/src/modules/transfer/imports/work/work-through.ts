import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { ImportFailure } from '#domain/transfer/import-status.ts'
import type { Entity } from '#entities/define/entity.ts'
import { getEntity } from '#entities/index.ts'
import { type Acting, importerOf } from '#server/modules/transfer/imports/acting.ts'
import { type Header, knownColumns, parseHeader } from '#server/modules/transfer/imports/import-columns.ts'
import { openSheet } from '#server/modules/transfer/imports/import-files.ts'
import { makeRowPlanner } from '#server/modules/transfer/imports/plan/plan-rows.ts'
import { inBothLanguages, rowsWithProblem, sentenceOf } from '#server/modules/transfer/imports/problems.ts'
import { type Import, type Mode, Stop, workOnImport } from '#server/modules/transfer/imports/uploads.ts'
import { programmeIdsOf } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { noFindings, notesOf, tableIn } from '#server/platform/sheets/headings.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { createProgress } from './import-progress.ts'
import { openProblemSink, type ProblemSink } from './problem-sink.ts'
import { Refused, writeBatch } from './write-batch.ts'

const batchSize = 1000
const maxRows = 200_000

/**
 * Works through an import's file in one transaction. A check rolls back. A run commits, together with the new status,
 * if every row is right and the import was not cancelled.
 */
export const workThrough = (services: Services, importId: string, mode: Mode) =>
  workOnImport(services, importId, mode, (record) =>
    readAndWrite(services, record, mode, false).catch((error) => {
      if (error instanceof Refused) return readAndWrite(services, record, mode, true)
      throw error
    }),
  )

type RowPlanner = ReturnType<typeof makeRowPlanner>

async function readAndWrite(services: Services, record: Import & { fileId: string }, mode: Mode, careful: boolean) {
  const { db, clock } = services
  const { reader, close } = await openSheet(services, record.fileId, record.format)
  const entity = getEntity(record.entity)
  const { timeZone } = await getSettings(db)
  const acting = record.acting as Acting
  const { mayUpdate } = acting
  const limits = await limitsOf(db, entity, acting)
  const actor = importerOf(record)
  const sink = await openProblemSink(db, record.id)
  const progress = createProgress(services, record, mode, sink)
  const { counts } = progress
  let header: Header | undefined

  const tx = await db.startTransaction().execute()
  /** Write of a large table's previous batch; the next batch is read and planned meanwhile, outside the transaction. */
  let writing = Promise.resolve()
  try {
    await waitForTurn(tx, entity, () => progress.write(0))
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
    // Pending entries of a trigram index are scanned linearly until the next vacuum: 20 ms for 26,780 rows.
    if (entity.large) await sql`SET LOCAL gin_pending_list_limit = '64MB'`.execute(tx)
    const by = { actor, now: clock.now(), reason: `Import: ${record.fileName}`, audit: mode === 'run' }
    let plan: RowPlanner | undefined

    async function processBatch(planLines: RowPlanner, lines: readonly SheetLine[]) {
      if (!entity.large) await writing
      const plannedLines = await planLines(entity.large ? db : tx, lines)
      await writing
      writing = write(lines, plannedLines)
      // The error is thrown where `writing` is awaited.
      writing.catch(() => {})
    }

    type Planned = Awaited<ReturnType<RowPlanner>>
    async function write(lines: readonly SheetLine[], { planned, problems }: Planned) {
      // Large tables have only rules that are checked in advance; for other tables the check also tries the database's
      // constraints.
      const writes = mode === 'run' || !entity.large
      const refused = writes ? await writeBatch(tx, entity, planned, by, careful) : []
      const wrongRows = rowsWithProblem([...problems, ...refused])
      for (const { action, number } of planned) if (!wrongRows.has(number)) counts[action]++
      counts.wrong += wrongRows.size
      progress.addRows(lines.length)
      await sink.add([...problems, ...refused])
      const rowsDone = progress.rowsDone()
      if (rowsDone > maxRows) throw new Stop('too_many_rows')
      await progress.write(100 * (mode === 'run' && record.rowsTotal ? rowsDone / record.rowsTotal : reader.progress()))
    }

    let batch: SheetLine[] = []
    const findings = noFindings()
    const table = tableIn(reader.lines, { findings, countKnown: knownColumns(entity), skipsRemarks: true })
    for await (const line of table) {
      if (!plan) {
        header = parseHeader(entity, line.cells, record.parentId !== null)
        await noteColumns(db, record, header)
        await refuseHeader(entity, header, line, sink)
        plan = makeRowPlanner({
          ...{ entity, understood: header, headings: line, parentId: record.parentId, mayUpdate, limits, timeZone },
        })
        continue
      }
      batch.push(line)
      if (batch.length < batchSize) continue
      await processBatch(plan, batch)
      batch = []
    }
    if (plan && batch.length > 0) await processBatch(plan, batch)
    await writing
    await sink.add(
      notesOf(findings).map(({ row, sentence }) => ({
        ...{ level: 'warning', row, field: null, header: null, value: null, reason: inBothLanguages(sentence) },
      })),
    )
    if (!header || progress.rowsDone() === 0) throw new Stop('no_rows')
    await sink.flush()
    if (mode === 'run' && counts.wrong > 0) {
      await progress.write(99)
      throw new Stop('rows_refused')
    }
    const finished = await progress.finish(mode === 'run' ? tx : db)
    if (!finished) throw new Stop('cancelled')
    if (mode === 'run') await tx.commit().execute()
  } finally {
    await writing.catch(() => {})
    await sink.flush()
    if (!tx.isCommitted && !tx.isRolledBack) await tx.rollback().execute()
    await close()
  }
}

/** Ids the importer's role is limited to; null without a limit, or if the entity belongs to no programme. */
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

/** Serialises imports into a table: the second sees the rows written by the first. */
async function waitForTurn(tx: Db, entity: Entity, writeProgress: () => Promise<void>) {
  for (;;) {
    const { rows } = await sql<{ mine: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext('import'), hashtext(${entity.table})) AS mine`.execute(tx)
    if (theOnly(rows).mine) return
    await writeProgress()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

const noteColumns = (db: Db, { id }: Import, { columns, unknown, missing, profile }: Header) =>
  db
    .updateTable('imports')
    .set({
      columns: JSON.stringify({ found: columns.map(({ header, key }) => ({ header, key })), unknown, missing }),
      profile: profile?.key ?? null,
    })
    .where('id', '=', id)
    .execute()

/** Refuses the header as a whole, so that its problem is not repeated for every row. */
async function refuseHeader(entity: Entity, header: Header, line: SheetLine, sink: ProblemSink) {
  const refuse = async (failure: ImportFailure, params: Record<string, unknown>, field: string | null = null) => {
    await sink.add([
      {
        level: 'problem',
        row: line.number,
        field,
        header: null,
        value: null,
        reason: sentenceOf({ key: `file.${failure}`, params }),
      },
    ])
    throw new Stop(failure)
  }
  if (header.columns.length === 0) await refuse('no_known_column', {})
  if (header.twice) await refuse('column_twice', { ...header.twice })
  const code = Object.entries(entity.fields).find(([, field]) => field.kind === 'code')
  if (code && header.missing.includes(code[0])) await refuse('key_column_missing', { field: code[1].label }, code[0])
}
