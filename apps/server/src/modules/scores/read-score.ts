import type { Cell } from '#server/platform/sheets/sheet-reader.ts'

/**
 * Reads `78`, `78.5` or `78,5`, in millionths: spreadsheets compute no finer. Null for anything else; a comma or dot never
 * separates thousands.
 */
export function readScore(cell: Cell): number | null {
  const value =
    typeof cell === 'number'
      ? cell
      : /^-?\d+([.,]\d+)?$/.test(cell.trim())
        ? Number(cell.trim().replace(',', '.'))
        : Number.NaN
  return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : null
}

/** Rounds to the two decimals that are stored, after the limits were checked. */
export const toHundredths = (score: number): number => Math.round(score * 100) / 100 + 0
