import { columnIndex } from '#server/platform/sheets/columns.ts'

/** Rows count from 1, columns from 0. */
export type CellRange = { text: string; firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

/** Reads a range such as `B4:C6`. */
export function rangeOf(text: string): CellRange {
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
export const inRange = (range: CellRange, row: number, column: number | null) =>
  row >= range.firstRow &&
  row <= range.lastRow &&
  column !== null &&
  column >= range.firstColumn &&
  column <= range.lastColumn
