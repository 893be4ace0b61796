import { unwrapFormula } from '#server/platform/sheets/csv-writer.ts'
import { longestStatementLine } from './statement-values.ts'

export type CsvRow = {
  /** Line of the file where the row begins, counted from 1. */
  number: number
  cells: string[]
  /** The row as written in the file, without its last line end. */
  raw: string
  /** Why the row could not be split into cells: a quote that is never closed, or more text than a row may have. */
  fault?: 'statement_quote_open' | 'statement_line_too_long'
}

const most = 100
const quote = 34
const [lf, cr] = [10, 13]

/**
 * Splits a file into rows one at a time. Lines may end in CRLF, LF or CR, mixed; a quoted cell may contain line ends,
 * and a quote inside an unquoted cell is an ordinary character. A row that cannot be split is returned with its fault,
 * and reading continues with the next line, so that a stray quote spoils no other line.
 */
export function* csvRecords(text: string, delimiter: string): Generator<CsvRow> {
  const sign = delimiter.charCodeAt(0)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let number = 1
  while (at < text.length) {
    const row = recordAt(text, at, sign)
    const raw = text.slice(at, Math.min(row.end, at + longestStatementLine))
    yield { number, cells: row.cells, raw, ...(row.fault && { fault: row.fault }) }
    number += row.lines
    at = row.next
  }
}

type Record = { cells: string[]; end: number; next: number; lines: number; fault?: CsvRow['fault'] }

function recordAt(text: string, start: number, sign: number): Record {
  const cells: string[] = []
  let lines = 1
  let at = start
  for (;;) {
    let cell: string
    if (text.charCodeAt(at) === quote) {
      let value = ''
      let from = at + 1
      for (;;) {
        const closing = text.indexOf('"', from)
        // A quoted cell longer than the longest row was never closed.
        if (closing < 0 || closing - start > longestStatementLine)
          return firstLine(text, start, sign, 'statement_quote_open')
        value += text.slice(from, closing)
        at = closing + 1
        if (text.charCodeAt(at) !== quote) break
        value += '"'
        from = at + 1
      }
      // Text after the closing quote belongs to the cell.
      const rest = endOfCell(text, at, sign)
      const ends = lineEndsIn(value)
      // A later quote has closed a quote left open by mistake, with whole rows inside the cell.
      if (ends > 0 && (rest > at || holdsRows(value, sign))) return firstLine(text, start, sign, 'statement_quote_open')
      lines += ends
      cell = value + text.slice(at, rest)
      at = rest
    } else {
      const end = endOfCell(text, at, sign)
      cell = text.slice(at, end)
      at = end
    }
    if (at - start > longestStatementLine) return firstLine(text, start, sign, 'statement_line_too_long')
    if (cells.length < most) cells.push(unwrapFormula(cell))
    if (text.charCodeAt(at) !== sign || at >= text.length) break
    at += 1
  }
  return { cells, end: at, next: afterLineEnd(text, at), lines }
}

/** Whether a line of a cell starts with a day and continues with another cell, like a row. */
const holdsRows = (cell: string, sign: number) =>
  cell
    .split(/\r\n|\r|\n/)
    .slice(1)
    .some(
      (line) => /^\s*['"]?\d{1,4}[-/. ]?\w{2,9}[-/. ]?\d{2,4}/.test(line) && line.includes(String.fromCharCode(sign)),
    )

function endOfCell(text: string, from: number, sign: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === sign || code === lf || code === cr) break
  }
  return at
}

function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== lf && text.charCodeAt(at) !== cr) at += 1
  return at
}

const afterLineEnd = (text: string, at: number) =>
  text.charCodeAt(at) === cr && text.charCodeAt(at + 1) === lf ? at + 2 : at + 1

const lineEndsIn = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

/** The first line of a row that cannot be split, shortened to the longest row. */
function firstLine(text: string, start: number, sign: number, fault: NonNullable<CsvRow['fault']>): Record {
  const end = endOfLine(text, start)
  const excerpt = text.slice(start, Math.min(end, start + longestStatementLine))
  const long = end - start > longestStatementLine
  const cells = excerpt.split(String.fromCharCode(sign), most)
  return { cells, end, next: afterLineEnd(text, end), lines: 1, fault: long ? 'statement_line_too_long' : fault }
}
