/** What a cell holds: text as it is shown, or a bare number. Dates, times and shares arrive as text. */
export type Cell = string | number

/** One row of the first sheet; `number` is what the reader's spreadsheet calls it. */
export type SheetLine = { number: number; cells: Cell[] }

export type SheetReader = {
  lines: AsyncIterable<SheetLine>
  /** How much of the file has been read, from 0 to 1. */
  progress(): number
}

export const sheetFaults = ['unreadable', 'too_big_inside', 'too_many_columns', 'took_too_long'] as const
export type SheetFault = (typeof sheetFaults)[number]

/** The file as a whole cannot be read, as opposed to a row of it. */
export class SheetError extends Error {
  readonly fault: SheetFault
  constructor(fault: SheetFault, cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

export const mostColumns = 300
export const longestText = 40_000
/** Characters of all cells of one row; a workbook may name one long text in each of them. */
export const longestRow = 200_000
