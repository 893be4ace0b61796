import type { Language } from '#entities/define/language.ts'
import { sentences } from '#server/platform/text.ts'
import type { Cell, SheetLine } from './sheet-reader.ts'

/** Non-empty rows searched for headings. */
const mostRows = 10
/** Most hidden row numbers that are listed. */
const mostNamed = 20

export const isBlank = (cells: readonly Cell[]) => cells.every((cell) => String(cell).trim() === '')
/** Whether a row is a remark above the headings. */
export const isRemark = (cells: readonly Cell[]) => String(cells[0] ?? '').startsWith('#')

const filledCells = ({ cells }: SheetLine) => cells.filter((cell) => String(cell).trim() !== '').length

/**
 * Index of the headings among the first non-empty rows. With `countKnown`, the row with most known headings. Otherwise,
 * or if none is known, the first row with several cells, if most rows below it also have several (a title has one).
 */
export function headingsIndex(rows: readonly SheetLine[], countKnown: (cells: readonly Cell[]) => number = () => 0) {
  const first = rows.slice(0, mostRows)
  const known = first.map(({ cells }) => countKnown(cells))
  const most = Math.max(...known)
  if (most > 0) return known.indexOf(most)
  const wide = first.findIndex((row) => filledCells(row) > 1)
  const below = first.slice(wide + 1)
  return wide > 0 && below.filter((row) => filledCells(row) > 1).length * 2 > below.length ? wide : 0
}

/** Warnings about a sheet before its rows are used. */
export type SheetFindings = { headingsRow: number | null; hiddenRows: number; hiddenFirst: number[] }

export const noFindings = (): SheetFindings => ({ headingsRow: null, hiddenRows: 0, hiddenFirst: [] })

export function countHidden(findings: SheetFindings, { isHidden, number }: SheetLine) {
  if (!isHidden) return
  findings.hiddenRows++
  if (findings.hiddenFirst.length < mostNamed) findings.hiddenFirst.push(number)
}

type Options = { findings: SheetFindings; countKnown?: (cells: readonly Cell[]) => number; skipsRemarks?: boolean }

/** The headings of a sheet, then the non-empty rows below; records skipped and hidden rows in `findings`. */
export async function* tableIn(
  lines: AsyncIterable<SheetLine>,
  { findings, countKnown, skipsRemarks = false }: Options,
): AsyncGenerator<SheetLine> {
  let first: SheetLine[] | undefined = []
  function* fromHeadings(rows: readonly SheetLine[]) {
    const at = headingsIndex(rows, countKnown)
    if (at > 0) findings.headingsRow = rows[at]!.number
    yield* rows.slice(at, at + 1)
    for (const row of rows.slice(at + 1)) {
      countHidden(findings, row)
      yield row
    }
  }
  for await (const line of lines) {
    if (isBlank(line.cells) || (skipsRemarks && first?.length === 0 && isRemark(line.cells))) continue
    if (first) {
      first.push(line)
      if (first.length < mostRows) continue
      yield* fromHeadings(first)
      first = undefined
    } else {
      countHidden(findings, line)
      yield line
    }
  }
  if (first) yield* fromHeadings(first)
}

export type SheetNote = { row: number; sentence: (language: Language) => string }

/** The findings as sentences, each with the first row concerned. */
export const notesOf = ({ headingsRow, hiddenRows, hiddenFirst }: SheetFindings): SheetNote[] => [
  ...(headingsRow === null
    ? []
    : [
        {
          row: headingsRow,
          sentence: (language: Language) => sentences(language)('transfer:finding.headings', { row: headingsRow }),
        },
      ]),
  ...(hiddenRows === 0
    ? []
    : [
        {
          row: hiddenFirst[0]!,
          sentence: (language: Language) =>
            sentences(language)('transfer:finding.hidden', {
              count: hiddenRows,
              rows: `${hiddenFirst.join(', ')}${hiddenRows > hiddenFirst.length ? ', …' : ''}`,
            }),
        },
      ]),
]
