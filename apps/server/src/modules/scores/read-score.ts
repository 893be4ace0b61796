import type { Cell } from '#server/platform/sheets/sheet-reader.ts'

/** Reads `78`, `78.5` or `78,5`, rounded to two decimals; null for anything else. A comma or dot never separates thousands. */
export function readScore(cell: Cell): number | null {
  const value =
    typeof cell === 'number'
      ? cell
      : /^-?\d+([.,]\d+)?$/.test(cell.trim())
        ? Number(cell.trim().replace(',', '.'))
        : Number.NaN
  if (!Number.isFinite(value)) return null
  const rounded = Math.round(value * 100) / 100
  return rounded === 0 ? 0 : rounded
}
