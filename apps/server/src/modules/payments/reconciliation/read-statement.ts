import crypto from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { fileTypeFromBuffer } from 'file-type'
import { dayInJakarta } from '#domain/days.ts'
import { readMt940 } from '#domain/payments/mt940.ts'
import { type CsvRow, readStatementRows, type StatementMapping } from '#domain/payments/statement-csv.ts'
import {
  mostStatementBytes,
  mostStatementLines,
  type StatementLine,
  type StatementProblem,
  withOccurrences,
} from '#domain/payments/statement-lines.ts'
import { invalid } from '#server/platform/errors.ts'
import type { UploadPart } from '#server/platform/files.ts'
import type { OwnAccount } from './account-queue.ts'

export type StatementFile = { name: string; bytes: Buffer; sha256: Buffer; text: string; format: 'csv' | 'mt940' }

/** A statement as it was sent: text of a size that can be read at once, whatever its name says. */
export async function statementFile(part: UploadPart | undefined): Promise<StatementFile> {
  if (!part) throw invalid({ file: 'file_missing' })
  const tooLarge = invalid({ file: { code: 'file_too_large', params: { maximum: '5 MB' } } })
  const bytes = await part.toBuffer().catch((error: { code?: string }) => {
    throw error.code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge : error
  })
  if (bytes.length === 0) throw invalid({ file: 'file_empty' })
  if (bytes.length > mostStatementBytes) throw tooLarge
  const text = (await fileTypeFromBuffer(bytes)) ? null : textOf(bytes)
  if (text === null) throw invalid({ file: 'statement_not_text' })
  const sha256 = crypto.createHash('sha256').update(bytes).digest()
  const mt940 = /^(?:\{[1235]:.*\{4:)?:20:/m.test(text) && /^:(?:60[FM]|61|25):/m.test(text)
  return { name: part.filename, bytes, sha256, text, format: mt940 ? 'mt940' : 'csv' }
}

function textOf(bytes: Buffer): string | null {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  if (!wide && bytes.includes(0)) return null
  try {
    return new TextDecoder(wide ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return wide ? null : new TextDecoder('windows-1252').decode(bytes)
  }
}

const delimiters = [',', ';', '\t', '|'] as const

/** The sign that parts most cells of the widest of the first lines. */
export function delimiterOf(text: string): (typeof delimiters)[number] {
  const lines = text.split(/\r\n|\r|\n/, 40).map((line) => line.replace(/"[^"]*"/g, ''))
  const widest = delimiters.map((sign) => Math.max(...lines.map((line) => line.split(sign).length)))
  return delimiters[widest.indexOf(Math.max(...widest))]!
}

/** The rows of a CSV file with the line each begins on; null where its quotes are beyond reading. */
export function csvRows(text: string, delimiter: string, most = mostStatementLines + 200): CsvRow[] | null {
  try {
    const records = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: 20_000,
      raw: true,
      info: true,
      to: most,
    }) as unknown as { record: string[]; raw: string; info: { lines: number } }[]
    let number = 1
    return records.map(({ record, raw, info }) => {
      const row = { number, cells: record.slice(0, 100), raw: raw.replace(/\r?\n$|\r$/, '') }
      number = info.lines + 1
      return row
    })
  } catch {
    return null
  }
}

export type ReadStatement = {
  lines: (StatementLine & { occurrence: number })[]
  problems: StatementProblem[]
  /** Days the file tells about. */
  firstDay: string | null
  lastDay: string | null
  closingBalance: number | null
}

const digitsOf = (text: string) => text.replace(/[^0-9A-Z]/gi, '').toUpperCase()

/** All lines of a file, or everything that is wrong with it. */
export function readStatement(
  { format, text }: StatementFile,
  account: Pick<OwnAccount, 'number'>,
  mapping: StatementMapping | null,
  now: Date,
): ReadStatement {
  const today = dayInJakarta(now)
  const nothing = { lines: [], firstDay: null, lastDay: null, closingBalance: null }
  if (format === 'csv') {
    const rows = mapping && csvRows(text, mapping.delimiter)
    if (!rows) return { ...nothing, problems: [{ code: 'statement_line_unreadable', line: 1 }] }
    const { lines, problems } = readStatementRows(rows, mapping, today)
    const days = lines.map(({ day }) => day).toSorted()
    return {
      lines: withOccurrences(lines),
      problems,
      firstDay: days[0] ?? null,
      lastDay: days.at(-1) ?? null,
      closingBalance: null,
    }
  }
  const { statements, problems } = readMt940(text)
  const lines = statements.flatMap((statement) => statement.lines)
  // Banks write the number alone, or behind their own code.
  for (const { account: named } of statements)
    if (!digitsOf(named.split('/').at(-1) ?? '').endsWith(digitsOf(account.number).replace(/^0+/, '')))
      problems.push({ code: 'statement_other_account', line: 1, value: named })
  for (const { day, lineNumber } of lines)
    if (day > today) problems.push({ code: 'statement_date_in_future', line: lineNumber, value: day })
  if (lines.length > mostStatementLines) problems.push({ code: 'statement_too_many_lines', line: 1 })
  const days = [...lines.map(({ day }) => day), ...statements.map(({ closingDay }) => closingDay)].toSorted()
  return {
    lines: withOccurrences(lines),
    problems,
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    closingBalance: statements.at(-1)?.closingBalance ?? null,
  }
}
