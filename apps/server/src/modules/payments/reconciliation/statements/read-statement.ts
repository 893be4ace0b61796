import crypto from 'node:crypto'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import type { statementFormats } from '#domain/payments/reconciliation/statement-lines.ts'
import type { encodings, StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { type CsvRow, csvRecords } from './csv-records.ts'
import { readMt940 } from './mt940.ts'
import { readStatementRows } from './statement-csv.ts'
import { guessDelimiter, guessMapping } from './statement-guess.ts'
import type { Movement } from './statement-totals.ts'
import {
  identityOf,
  mostSumSen,
  oldestStatementDays,
  type StatementLine,
  type StatementProblem,
} from './statement-values.ts'

type Encoding = Exclude<(typeof encodings)[number], 'auto'>

/** First bytes of binary files: PDF, ZIP (and so XLSX), the older XLS, PNG, JPEG, GIF, gzip. */
const binaryStarts = ['25504446', '504b0304', 'd0cf11e0', '89504e47', 'ffd8ff', '47494638', '1f8b'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

/** Encoding of a file, by its first bytes, else by the zeros of UTF-16, else UTF-8 if all bytes are valid UTF-8. */
function encodingOf(bytes: Buffer): Encoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (binaryStarts.some((start) => bytes.subarray(0, start.length).equals(start))) return null
  const sample = bytes.subarray(0, 4_000)
  const zeros = { even: 0, odd: 0 }
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1
  if (zeros.odd > sample.length / 4 && zeros.even === 0) return 'utf-16le'
  if (zeros.even > sample.length / 4 && zeros.odd === 0) return 'utf-16be'
  if (bytes.includes(0)) return null
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The text of a file in an encoding; null if its bytes are invalid in it. */
function textOf(bytes: Buffer, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

export type StatementTask = {
  bytes: Uint8Array
  accountNumber: string
  /** Null: MT940 is still read; of a CSV file only rows and guesses are returned. */
  mapping: StatementMapping | null
  now: Date
}

export type NumberedLine = StatementLine & { occurrence: number }

export type StatementContent = {
  format: (typeof statementFormats)[number]
  encoding: Encoding
  /** The first and last rows of a CSV file, shortened for display. */
  rows: ShownRow[]
  lastRows: ShownRow[]
  /** A first guess from all rows of a CSV file without a mapping. */
  guess: MappingDraft | null
  count: number
  creditsSen: number
  debitsSen: number
  firstLines: StatementLine[]
  lastLines: StatementLine[]
  pending: { count: number; creditsSen: number; debitsSen: number; firstLines: number[] }
  /** The first problems; `problemCount` counts all of them. */
  problems: StatementProblem[]
  problemCount: number
  /** First and last day of the file. */
  firstDay: string | null
  lastDay: string | null
  closingBalanceSen: number | null
}
type ShownRow = { number: number; cells: string[] }

/** Messages of the thread: lines as they are read, and everything else at the end. */
export type StatementPart = { lines: NumberedLine[] } | { content: StatementContent } | { unreadable: true }

const [headRows, tailRows, shownLines, batchLines] = [30, 10, 10, 1_000]
export const mostProblems = 500

/** Reads a whole statement. The format is detected from the content, not the file name. */
export function* readStatement({ bytes, ...task }: StatementTask): Generator<StatementPart> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const requestedEncoding = task.mapping?.encoding ?? 'auto'
  const detected = encodingOf(buffer)
  const encoding = detected === null || requestedEncoding === 'auto' ? detected : requestedEncoding
  const text = encoding && textOf(buffer, encoding)
  if (!encoding || text === null) {
    yield { unreadable: true }
    return
  }
  const isMt940 = /^(?:\{[1235]:[^\n]{0,500}\{4:)?:20:/m.test(text) && /^:(?:60[FM]|61|25P?):/m.test(text)
  const delimiter = task.mapping?.delimiter ?? (isMt940 ? ',' : guessDelimiter(text))
  yield* withEncoding(
    encoding,
    isMt940 ? mt940Content(text, task) : tableContent('csv', () => csvRecords(text, delimiter), delimiter, task),
  )
}

/** Reads the rows of a spreadsheet. Its mapping also has a delimiter, for the bank's CSV files. */
export const readStatementSheet = (rows: readonly CsvRow[], task: Omit<StatementTask, 'bytes'>) =>
  withEncoding(
    'utf-8',
    tableContent('xlsx', () => rows[Symbol.iterator](), task.mapping?.delimiter ?? ',', task),
  )

function* withEncoding(encoding: Encoding, parts: Reading): Generator<StatementPart> {
  const content = yield* parts
  yield { content: { ...content, encoding } }
}

type Content = Omit<StatementContent, 'encoding'>
type Reading = Generator<{ lines: NumberedLine[] }, Content>

function* tableContent(
  format: 'csv' | 'xlsx',
  rows: () => IterableIterator<CsvRow>,
  delimiter: MappingDraft['delimiter'],
  { mapping, now }: Omit<StatementTask, 'bytes'>,
): Reading {
  const guess = mapping ? null : guessMapping(rows, delimiter)
  const seen = rowsSeen()
  const gathered = gathering()
  const records = seen.watch(rows())
  if (mapping) {
    const today = bankCalendar.dayOf(now)
    yield* gathered.batches(
      readStatementRows(records, mapping, today, gathered.problem, gathered.day, gathered.pending),
    )
  }
  // An error in the headings ends the parser early; the page still needs the remaining rows.
  for (const _ of records);
  return { format, guess, ...seen.rows(), ...gathered.content() }
}

/** Collects the first and last rows that pass through. */
function rowsSeen() {
  const first: ShownRow[] = []
  const last: ShownRow[] = []
  const cut = ({ number, cells }: CsvRow) => ({ number, cells: cells.slice(0, 30).map((cell) => cell.slice(0, 200)) })
  return {
    watch(records: Iterator<CsvRow>): Iterable<CsvRow> {
      const next = () => {
        const result = records.next()
        if (result.done) return result
        if (first.length < headRows) first.push(cut(result.value))
        else {
          last.push(cut(result.value))
          if (last.length > tailRows) last.shift()
        }
        return result
      }
      // Without `return`, so that a consumer that stops early does not end the source.
      return { [Symbol.iterator]: () => ({ next }) }
    },
    rows: () => ({ rows: first, lastRows: last }),
  }
}

function* mt940Content(text: string, { accountNumber, now }: Omit<StatementTask, 'bytes'>): Reading {
  const today = bankCalendar.dayOf(now)
  const oldest = shiftDay(today, -oldestStatementDays)
  const gathered = gathering()
  const checkDay = (day: string, line: number) => {
    if (day > today) gathered.problem({ code: 'statement_date_in_future', line, value: day })
    else if (day < oldest) gathered.problem({ code: 'statement_date_too_old', line, value: day })
  }
  const statements = yield* gathered.batches(
    (function* () {
      const lines = readMt940(text, gathered.problem)
      for (;;) {
        const { value, done } = lines.next()
        if (done) return value
        checkDay(value.day, value.lineNumber)
        yield value
      }
    })(),
  )
  for (const { account, closingDay, lineNumber } of statements) {
    // Banks write the number alone or after their own code.
    if (!digitsOf(account.split('/').at(-1) ?? '').endsWith(digitsOf(accountNumber).replace(/^0+/, '')))
      gathered.problem({ code: 'statement_other_account', line: lineNumber, value: account })
    checkDay(closingDay, lineNumber)
    gathered.day(closingDay)
  }
  const last = statements.reduce<(typeof statements)[number] | null>(
    (latest, one) => (latest && latest.closingDay > one.closingDay ? latest : one),
    null,
  )
  const content = gathered.content()
  return {
    format: 'mt940',
    guess: null,
    rows: [],
    lastRows: [],
    ...content,
    closingBalanceSen: last?.closingSen ?? null,
  }
}

const digitsOf = (text: string) => text.replace(/[^0-9A-Z]/gi, '').toUpperCase()

/** Collects lines and problems, keeping only totals of the lines. */
function gathering() {
  const occurrences = new Map<string, number>()
  const problems: StatementProblem[] = []
  const firstLines: StatementLine[] = []
  const lastLines: StatementLine[] = []
  let [problemCount, count, creditsSen, debitsSen] = [0, 0, 0, 0]
  const pending: StatementContent['pending'] = { count: 0, creditsSen: 0, debitsSen: 0, firstLines: [] }
  let firstDay: string | null = null
  let lastDay: string | null = null
  const day = (one: string) => {
    if (firstDay === null || one < firstDay) firstDay = one
    if (lastDay === null || one > lastDay) lastDay = one
  }
  const problem = (one: StatementProblem) => {
    problemCount += 1
    if (problems.length < mostProblems) problems.push(one)
  }
  const add = (line: StatementLine): NumberedLine => {
    // A hash instead of the text saves memory for 200,000 lines.
    const key = crypto.hash('md5', identityOf(line), 'base64')
    const occurrence = (occurrences.get(key) ?? 0) + 1
    occurrences.set(key, occurrence)
    const { amountSen } = line
    const wouldBe = Math.max(creditsSen + amountSen, -(debitsSen + amountSen))
    if (wouldBe > mostSumSen)
      problem({ code: 'statement_amount_too_large', line: line.lineNumber, value: line.raw.slice(0, 80) })
    else if (amountSen > 0) creditsSen += amountSen
    else debitsSen += amountSen
    count += 1
    day(line.day)
    const cutLine = { ...line, raw: line.raw.slice(0, 300) }
    if (firstLines.length < shownLines) firstLines.push(cutLine)
    else {
      lastLines.push(cutLine)
      if (lastLines.length > shownLines) lastLines.shift()
    }
    return { ...line, occurrence }
  }
  return {
    day,
    problem,
    pending({ amountSen, lineNumber }: Movement) {
      pending.count += 1
      pending[amountSen > 0 ? 'creditsSen' : 'debitsSen'] += amountSen
      if (pending.firstLines.length < shownLines) pending.firstLines.push(lineNumber)
    },
    /**
     * Passes lines on in batches. A file with problems is refused, so after the first problem lines are only counted.
     */
    *batches<R>(lines: Generator<StatementLine, R>): Generator<{ lines: NumberedLine[] }, R> {
      let batch: NumberedLine[] = []
      for (;;) {
        const { value, done } = lines.next()
        if (done) {
          if (batch.length > 0 && problemCount === 0) yield { lines: batch }
          return value
        }
        batch.push(add(value))
        if (batch.length < batchLines) continue
        if (problemCount === 0) yield { lines: batch }
        batch = []
      }
    },
    content: () => ({
      ...{ count, creditsSen, debitsSen, pending, firstDay, lastDay, problemCount, closingBalanceSen: null },
      firstLines,
      lastLines,
      problems: problems.toSorted((a, b) => a.line - b.line),
    }),
  }
}
