import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { type Cell, isCutNumber } from '#server/platform/sheets/sheet-reader.ts'
import { readXlsx } from '#server/platform/sheets/xlsx-reader.ts'
import type { CsvRow } from './csv-records.ts'
import { type DateFormat, monthNames, mostStatementLines } from './statement-values.ts'

/** A date cell of a spreadsheet written in a format; any other text unchanged. */
function dayIn(text: string, format: DateFormat): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?: \d\d:\d\d:\d\d)?$/.exec(text) ?? []
  if (!year || !month || !day) return text
  const name = monthNames[Number(month) - 1]?.[0]?.slice(0, 3) ?? month
  const parts: Record<string, string> = { yyyy: year, yy: year.slice(2), mmm: name, mm: month, dd: day }
  return format.replace(/y+|m+|d+/g, (part) => parts[part]!)
}

/** Rows above and below a statement's lines. */
const otherRows = 1_000

/**
 * The rows of a spreadsheet as in the bank's CSV, all equally wide; days and numbers are written as the mapping
 * expects.
 */
export async function rowsOfSheet(bytes: Buffer, mapping: StatementMapping | null): Promise<CsvRow[]> {
  const textOf = (cell: Cell, column: number) => {
    if (typeof cell === 'string') return mapping && column === mapping.date ? dayIn(cell, mapping.dateFormat) : cell
    return isCutNumber(cell) ? cell.toExponential() : String(cell).replace('.', mapping?.decimal ?? '.')
  }
  const rows: CsvRow[] = []
  const { lines } = await readXlsx(bytes)
  let width = 0
  for await (const { number, cells } of lines) {
    width = Math.max(width, cells.length)
    const texts = cells.map(textOf)
    if (rows.push({ number, cells: texts, raw: texts.join('\t') }) > mostStatementLines + otherRows) break
  }
  for (const { cells } of rows) while (cells.length < width) cells.push('')
  return rows
}
