import { Readable } from 'node:stream'
import type { Language } from '#entities/define/language.ts'
import { cleanText } from '#entities/define/typed-text.ts'
import { isNumeric, numberOf, type SheetColumn, type SheetOptions, type SheetRow, textOf, wallTime } from './columns.ts'

const chunkLength = 64 * 1024

/** Column separator: a semicolon where spreadsheets use a decimal comma. */
const separators: Record<Language, string> = { en: ',', id: ';' }
const decimalSigns: Record<Language, string> = { en: '.', id: ',' }

export const separatorOf = (language: Language) => separators[language]

/** Puts an apostrophe before text a spreadsheet would run as a formula; a phone number such as `+62812` is not one. */
export const harmlessText = (text: string) => (/^(?!\+\d+$)[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Text inside a formula people use to keep leading zeros in a spreadsheet, `="00123"`; any other text unchanged. */
export const unwrapFormula = (text: string) =>
  text.startsWith('="')
    ? text.replace(/^="((?:[^"]|"")*)"$/, (_, content: string) => content.replaceAll('""', '"'))
    : text

/**
 * Cell text without invisible characters and without guards against computing: the apostrophe of `harmlessText`, and
 * those people put around numbers with leading zeros, `'0812` and `="0812"`.
 */
export const unwrapText = (text: string) =>
  unwrapFormula(cleanText(text).trim())
    .replace(/^'(?=[=+\-@\t\r]|\d+$)/, '')
    .trim()

const quoteCell = (text: string, separator: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export const csvLine = (cells: readonly string[], separator: string) =>
  `${cells.map((cell) => quoteCell(cell, separator)).join(separator)}\r\n`

function cellOf(column: SheetColumn, value: unknown, language: Language, timeZone: string) {
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
    return text.replace('.', decimalSigns[language])
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

/** A list as CSV with a byte order mark, so that spreadsheets read it as UTF-8. */
export const writeCsv = (rows: AsyncIterable<SheetRow>, options: SheetOptions): Readable =>
  Readable.from(csvText(rows, options), { objectMode: false })
