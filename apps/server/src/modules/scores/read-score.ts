import { isAmbiguousNumber } from '#server/modules/transfer/imports/read-cell.ts'
import type { Cell } from '#server/platform/sheets/sheet-reader.ts'

export type ReadScore = { score: number } | { problem: 'not_a_number' | 'ambiguous' }

/**
 * Reads `78`, `78.5` or `78,5` in millionths, the finest step spreadsheets compute. A text `1.000` is ambiguous; comma
 * and dot never separate thousands.
 */
export function readScore(cell: Cell): ReadScore {
  const text = String(cell).trim()
  if (typeof cell === 'string' && isAmbiguousNumber(text)) return { problem: 'ambiguous' }
  const value = typeof cell === 'number' || /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return Number.isFinite(value) ? { score: Math.round(value * 1e6) / 1e6 } : { problem: 'not_a_number' }
}

/** Rounds to the two stored decimals. Check limits before rounding. */
export const toHundredths = (score: number): number => Math.round(score * 100) / 100 + 0
