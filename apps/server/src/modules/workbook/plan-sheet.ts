import type { SheetCounts } from '#domain/workbook/endpoints.ts'
import type { Entity } from '#entities/define/entity.ts'
import { codeFieldOf } from '#entities/define/row.ts'
import { knownColumns } from '#server/modules/transfer/imports/import-columns.ts'
import type { PlannedRow } from '#server/modules/transfer/imports/plan/decide-row.ts'
import { makeRowPlanner } from '#server/modules/transfer/imports/plan/plan-rows.ts'
import { inBothLanguages, type Problem, rowsWithProblem } from '#server/modules/transfer/imports/problems.ts'
import { textOfCell } from '#server/modules/transfer/imports/read-cell.ts'
import { writeBatch } from '#server/modules/transfer/imports/work/write-batch.ts'
import type { WriteBy } from '#server/modules/transfer/imports/work/write-rows.ts'
import type { OpenTx } from '#server/platform/database/database.ts'
import { columnIndex, columnLetter } from '#server/platform/sheets/columns.ts'
import { countHidden, headingsIndex, isBlank, isRemark, noFindings, notesOf } from '#server/platform/sheets/headings.ts'
import type { SheetLine } from '#server/platform/sheets/sheet-reader.ts'
import { isChangedExample } from './changed-examples.ts'
import type { PendingNames } from './pending-names.ts'
import type { SheetToRead, WorkbookProblem } from './read-workbook.ts'
import { missingColumns, readHeader, type SheetHeader, say } from './sheet-header.ts'

const batchSize = 1000

export type SheetWork = {
  tx: OpenTx
  by: WriteBy
  timeZone: string
  pending: PendingNames
}

export type SheetOutcome = { entity: Entity; counts: SheetCounts; problems: WorkbookProblem[]; written: PlannedRow[] }

/** Plans and writes the rows of a sheet inside the transaction. Lists every problem and writes the rows without one. */
export async function workThroughSheet(work: SheetWork, sheet: SheetToRead): Promise<SheetOutcome> {
  const { name, entity, lines } = sheet
  const counts: SheetCounts = { slug: entity.slug, new: 0, changed: 0, unchanged: 0, wrong: 0, waiting: 0 }
  const outcome: SheetOutcome = { entity, counts, problems: [], written: [] }
  const remarks = lines.findIndex(({ cells }) => !isRemark(cells))
  const headerAt = remarks + headingsIndex(lines.slice(remarks), knownColumns(entity))
  const headerLine = remarks < 0 ? undefined : lines[headerAt]
  if (!headerLine) return outcome
  const understood = readHeader(entity, headerLine)
  const problemAt = (row: number | null, problem: Partial<WorkbookProblem> & Pick<WorkbookProblem, 'reason'>) =>
    outcome.problems.push({ level: 'problem', sheet: name, row, letter: null, header: null, value: null, ...problem })
  for (const { header, reason } of understood.problems)
    problemAt(headerLine.number, { header, letter: header && letterOf(headerLine, header), reason })
  if (understood.fatal) {
    work.pending.addSheet(entity.slug)
    return outcome
  }

  const below = lines.slice(headerAt + 1)
  for (const line of below)
    if (isRemark(line.cells) && isChangedExample(entity, understood.header, line, work.timeZone))
      problemAt(line.number, { letter: 'A', value: textOfCell(line.cells[0]), reason: say('example_changed') })
  const ranges = sheet.merged.map(rangeOf).filter((range) => range.lastRow > headerLine.number)
  for (const range of ranges)
    problemAt(range.firstRow, {
      letter: columnLetter(range.firstColumn),
      reason: say('merged_cells', () => ({ cells: range.text })),
    })
  const isMerged = ({ row, header }: Problem) =>
    ranges.some((range) => inRange(range, row, header === null ? null : columnOf(understood, header)))

  const rows = below.filter(
    ({ cells }) => !isRemark(cells) && !isBlank(cells.with(0, understood.markIndex === 0 ? '' : (cells[0] ?? ''))),
  )
  const plan = makeRowPlanner({
    entity,
    understood: understood.header,
    parentId: null,
    mayUpdate: true,
    limits: null,
    timeZone: work.timeZone,
    isPending: work.pending.has,
  })
  const findings = noFindings()
  if (headerAt > remarks) findings.headingsRow = headerLine.number
  for (const line of rows) countHidden(findings, line)
  for (const { row, sentence } of notesOf(findings))
    problemAt(row, { level: 'warning', reason: inBothLanguages(sentence) })
  const withoutColumn = new Set<number>()
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize)
    const { planned, problems } = await plan(work.tx, batch)
    const refused = await writeBatch(work.tx, entity, planned, work.by, true)
    const found = [...problems, ...refused]
    const wrongRows = rowsWithProblem(found)
    const accepted = planned.filter(({ number }) => !wrongRows.has(number))
    for (const { action } of accepted) counts[action]++
    counts.wrong += wrongRows.size
    counts.waiting += batch.length - accepted.length - wrongRows.size
    outcome.written.push(...accepted.filter(({ action }) => action !== 'unchanged'))
    const isOfMissingColumn = ({ field, header }: Problem) =>
      header === null && field !== null && understood.header.missing.includes(field)
    for (const problem of withoutRepetition(found)) {
      if (isOfMissingColumn(problem)) withoutColumn.add(problem.row)
      else if (!isMerged(problem)) problemAt(problem.row, toWorkbookProblem(understood, problem))
    }
    const acceptedNumbers = new Set(accepted.map(({ number }) => number))
    const pendingLines = batch.filter(({ number }) => !acceptedNumbers.has(number))
    rememberNames(work.pending, entity, understood, pendingLines, found)
  }
  if (withoutColumn.size > 0)
    problemAt(headerLine.number, {
      reason: missingColumns(
        entity,
        understood.header.missing,
        understood.header.unknown.filter((heading) => !heading.startsWith('#')),
      ),
    })
  return outcome
}

/** Lists a problem once if two fields, of which one must be filled in, both have it. */
function withoutRepetition(problems: readonly Problem[]): Problem[] {
  const listed = new Set<string>()
  return problems.filter(({ row, reason }) => {
    const key = `${row} ${reason.en}`
    return !listed.has(key) && listed.add(key)
  })
}

const columnOf = ({ header }: SheetHeader, heading: string) =>
  header.columns.find((column) => column.header === heading)?.index ?? null

const letterOf = ({ cells }: SheetLine, heading: string) =>
  columnLetter(cells.findIndex((cell) => String(cell).trim() === heading))

function toWorkbookProblem(understood: SheetHeader, { level, header, value, reason }: Problem) {
  const index = header === null ? null : columnOf(understood, header)
  return { level, letter: index === null ? null : columnLetter(index), header, value, reason }
}

/** Marks these lines' codes and names as pending, because rows of later sheets may refer to them. */
function rememberNames(
  pending: PendingNames,
  entity: Entity,
  { header }: SheetHeader,
  lines: readonly SheetLine[],
  problems: readonly Problem[],
) {
  const codeKey = codeFieldOf(entity)
  const naming = header.columns.filter(({ key }) => key === codeKey || entity.titleFields.includes(key))
  for (const line of lines)
    for (const { index } of naming) {
      const text = textOfCell(line.cells[index])
      if (text !== '') pending.add(entity.slug, text)
    }
  // Another row may refer to the row without a code.
  if (problems.some(({ field, value }) => field === codeKey && value === null)) pending.addSheet(entity.slug)
}

/** Rows count from 1, columns from 0. */
type CellRange = { text: string; firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

/** Reads a range such as `B4:C6`. */
function rangeOf(text: string): CellRange {
  const [first, last] = text.split(':')
  const [, firstLetters = 'A', firstRow = '0'] = /^([A-Z]+)(\d+)$/.exec(first ?? '') ?? []
  const [, lastLetters = firstLetters, lastRow = firstRow] = /^([A-Z]+)(\d+)$/.exec(last ?? '') ?? []
  return {
    text,
    firstRow: Number(firstRow),
    lastRow: Number(lastRow),
    firstColumn: columnIndex(firstLetters),
    lastColumn: columnIndex(lastLetters),
  }
}

/** Whether a cell is in the range; false for a problem of a whole row (`column` null). */
const inRange = (range: CellRange, row: number, column: number | null) =>
  row >= range.firstRow &&
  row <= range.lastRow &&
  column !== null &&
  column >= range.firstColumn &&
  column <= range.lastColumn
