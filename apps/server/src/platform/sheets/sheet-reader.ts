/** What a cell holds: text as it is shown, or a bare number. Dates, times and shares arrive as text. */
export type Cell = string | number

/** One row of the first sheet; `number` is what the reader's spreadsheet calls it. */
export type SheetLine = { number: number; cells: Cell[] }

export type SheetReader = {
  lines: AsyncIterable<SheetLine>
  /** How much of the file has been read, from 0 to 1. */
  progress(): number
}

export type SheetFault = 'unreadable' | 'too_big_inside' | 'too_many_columns'

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
