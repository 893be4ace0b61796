/** Displayed text or a plain number; dates, times and percentages are text. */
export type Cell = string | number

/** Numbers from here on exceed the fifteen digits spreadsheets keep: their last digits are lost. */
const firstCutNumber = 1e15

/** Whether a spreadsheet has cut the digits of a number, in its own cell or, as `3,17E+15`, in CSV. */
export const isCutNumber = (cell: Cell): boolean =>
  typeof cell === 'number'
    ? Math.abs(cell) >= firstCutNumber
    : cell.length < 30 && /^-?\d([.,]\d+)?E\+\d{2,3}$/i.test(cell.trim())

/** A row; `number` is the row number in the spreadsheet, from 1. `sheet` is set when every sheet is read. */
export type SheetLine = {
  sheet?: string
  number: number
  cells: Cell[]
  /** Whether the file is CSV: a row without its last separators has lost cells. */
  isSeparated?: boolean
  /** The spreadsheet hides this row. */
  isHidden?: true
  /** Merged cells, such as `B4:B6`; such a line has no cells and comes after the rows of its sheet. */
  merged?: string
}

/** Characters in a row's cells; a number counts as eight. */
export const lengthOf = ({ cells }: SheetLine) =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)

/**
 * Number of cells in a CSV row (`found`) and of headings (`expected`), if the row has fewer or has content beyond the
 * last heading. Such a row cannot be read, because its cells cannot be matched to headings.
 */
export function wrongWidth(headings: SheetLine, line: SheetLine): { found: number; expected: number } | undefined {
  if (!line.isSeparated) return undefined
  const expected = lastFilled(headings.cells)
  const found = Math.max(lastFilled(line.cells), Math.min(line.cells.length, expected))
  return found === expected ? undefined : { found, expected }
}

const lastFilled = (cells: readonly Cell[]) => cells.findLastIndex((cell) => String(cell).trim() !== '') + 1

export type SheetReader = {
  lines: AsyncIterable<SheetLine>
  /** Share of the file that has been read, from 0 to 1. */
  progress(): number
}

export const sheetFaults = [
  'unreadable',
  'too_big_inside',
  'too_many_columns',
  'text_too_long',
  'took_too_long',
] as const
export type SheetFault = (typeof sheetFaults)[number]

/** The file as a whole cannot be read (not just one row). */
export class SheetError extends Error {
  readonly fault: SheetFault
  constructor(fault: SheetFault, cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

export const maxColumns = 300
export const maxTextLength = 40_000
/** Limit for all cells of a row together, since a workbook may refer to one long text in each cell. */
export const maxRowLength = 200_000
