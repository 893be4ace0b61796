import { parse } from 'csv-parse/sync'
import { fileTypeFromBuffer } from 'file-type'
import { dayInJakarta } from '#domain/days.ts'
import { readMt940 } from '#domain/payments/mt940.ts'
import { type CsvRow, readStatementRows, type StatementMapping } from '#domain/payments/statement-csv.ts'
import {
  mostStatementLines,
  type StatementLine,
  type StatementProblem,
  withOccurrences,
} from '#domain/payments/statement-lines.ts'

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
function delimiterOf(text: string): (typeof delimiters)[number] {
  const lines = text.split(/\r\n|\r|\n/, 40).map((line) => line.replace(/"[^"]*"/g, ''))
  const widest = delimiters.map((sign) => Math.max(...lines.map((line) => line.split(sign).length)))
  return delimiters[widest.indexOf(Math.max(...widest))]!
}

/** The rows of a CSV file with the line each begins on; null where its quotes are beyond reading. */
function csvRows(text: string, delimiter: string, most = mostStatementLines + 200): CsvRow[] | null {
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

export type StatementTask = {
  bytes: Uint8Array
  accountNumber: string
  /** Null: MT940 is read all the same, of CSV only the first rows. */
  mapping: StatementMapping | null
  now: Date
}

export type StatementContent = ReadStatement & {
  format: 'csv' | 'mt940'
  /** The first rows of a CSV file, cut to what a page shows. */
  rows: { number: number; cells: string[] }[]
}

const shownRows = 30

/** Reads a statement whole, whatever its name says; null for a file that is no text. */
export async function readStatement({ bytes, ...task }: StatementTask): Promise<StatementContent | null> {
  const text = (await fileTypeFromBuffer(bytes)) ? null : textOf(Buffer.from(bytes))
  if (text === null) return null
  const isMt940 = /^(?:\{[1235]:.*\{4:)?:20:/m.test(text) && /^:(?:60[FM]|61|25):/m.test(text)
  if (isMt940) return { format: 'mt940', rows: [], ...readLines('mt940', text, task) }
  const delimiter = task.mapping?.delimiter ?? delimiterOf(text)
  const rows = (csvRows(text, delimiter, shownRows) ?? []).map(({ number, cells }) => ({
    number,
    cells: cells.map((cell) => cell.slice(0, 200)),
  }))
  const unread = { lines: [], problems: [], firstDay: null, lastDay: null, closingBalance: null }
  return { format: 'csv', rows, ...(task.mapping ? readLines('csv', text, task) : unread) }
}

/** All lines of a file, or everything that is wrong with it. */
function readLines(
  format: StatementContent['format'],
  text: string,
  { accountNumber, mapping, now }: Omit<StatementTask, 'bytes'>,
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
    if (!digitsOf(named.split('/').at(-1) ?? '').endsWith(digitsOf(accountNumber).replace(/^0+/, '')))
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
