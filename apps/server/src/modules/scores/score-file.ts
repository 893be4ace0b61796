import { maxScoreRows } from '#domain/scores/status.ts'
import { type ImportFormat, openSheet } from '#server/modules/transfer/imports/import-files.ts'
import { isAmbiguousNumber } from '#server/modules/transfer/imports/read-cell.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { unwrapText } from '#server/platform/sheets/csv-writer.ts'
import { noFindings, type SheetFindings, tableIn } from '#server/platform/sheets/headings.ts'
import { sheetRefusal, tooManyRows } from '#server/platform/sheets/refusals.ts'
import type { Cell, SheetLine } from '#server/platform/sheets/sheet-reader.ts'

/** `headings` is the row of `headers`. */
export type ScoreFile = { headers: string[]; headings: SheetLine; lines: SheetLine[]; findings: SheetFindings }

const toText = (cell: Cell | undefined) => unwrapText(String(cell ?? ''))

/**
 * Reads the headings and at most `most` rows below; skips blank rows and remarks above the headings. 422 for a file
 * that is unreadable or has no rows, 409 once the file was deleted.
 */
export async function readScoreFile(
  services: Services,
  { fileId, format }: { fileId: string | null; format: ImportFormat },
  most?: number,
): Promise<ScoreFile> {
  if (!fileId) throw conflict('import_file_gone')
  let headings: SheetLine | undefined
  const lines: SheetLine[] = []
  const findings = noFindings()
  const { reader, close } = await openSheet(services, fileId, format)
  try {
    for await (const line of tableIn(reader.lines, { findings, skipsRemarks: true })) {
      if (!headings) headings = line
      else if (lines.push(line) === most) break
      if (lines.length > maxScoreRows) throw tooManyRows(maxScoreRows)
    }
  } catch (error) {
    throw sheetRefusal(error)
  } finally {
    await close()
  }
  if (!headings || lines.length === 0) throw invalid({ file: 'sheet_without_rows' })
  return { headers: headings.cells.map(toText), headings, lines, findings }
}

export const cellText = ({ cells }: SheetLine, index: number) => toText(cells[index])

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
