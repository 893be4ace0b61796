import { Readable } from 'node:stream'
import type { Locale } from '#locales/index.ts'
import { isNumeric, numberOf, type SheetColumn, type SheetOptions, type SheetRow, textOf, wallTime } from './columns.ts'

const chunkLength = 64 * 1024

/** Spreadsheets set to Indonesian read a comma as the decimal sign, so there a semicolon parts the columns. */
export const separatorOf = (language: Locale) => (language === 'id' ? ';' : ',')

/** What a spreadsheet would run as a formula becomes text by an apostrophe in front. */
export const harmlessText = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const quoted = (text: string, separator: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export const csvLine = (cells: readonly string[], separator: string) =>
  `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`

function cellOf(column: SheetColumn, value: unknown, language: Locale, timeZone: string) {
  if (value === null || value === undefined) return ''
  if (isNumeric(column.kind)) {
    const number = numberOf(value)
    if (number === null) return harmlessText(textOf(value))
    const text =
      column.kind === 'percent'
        ? `${Math.round(number * 1e6) / 1e4}%`
        : column.kind === 'sen'
          ? (number / 100).toFixed(2)
          : String(number)
    return language === 'id' ? text.replace('.', ',') : text
  }
  if (column.kind === 'date' && typeof value === 'string') return harmlessText(value.slice(0, 10))
  if (column.kind === 'date') return wallTime(value, timeZone)?.slice(0, 10) ?? harmlessText(textOf(value))
  if (column.kind === 'dateTime') return wallTime(value, timeZone)?.slice(0, 16) ?? harmlessText(textOf(value))
  return harmlessText(textOf(value))
}

async function* csvText(rows: AsyncIterable<SheetRow>, { columns, language, timeZone }: SheetOptions) {
  const separator = separatorOf(language)
  let chunk = `\uFEFF${csvLine(
    columns.map(({ label }) => harmlessText(label)),
    separator,
  )}`
  for await (const row of rows) {
    chunk += csvLine(
      columns.map((column) => cellOf(column, row[column.key], language, timeZone)),
      separator,
    )
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk) yield chunk
}

/** One list as CSV that spreadsheets open by a double click. */
export const writeCsv = (rows: AsyncIterable<SheetRow>, options: SheetOptions): Readable =>
  Readable.from(csvText(rows, options), { objectMode: false })
