import { shiftDay } from '#domain/days.ts'
import type { CsvRow } from './csv-records.ts'
import {
  mostStatementLines,
  oldestStatementDays,
  type ReadAmount,
  readAmount,
  readDay,
  type StatementLine,
  type StatementProblem,
  tidy,
} from './statement-lines.ts'
import type { StatementMapping } from './statement-mapping.ts'
import { balanceChain, totalsOf } from './statement-totals.ts'

const sameWords = (one: string, other: string) => tidy(one, 200).toLowerCase() === tidy(other, 200).toLowerCase()

/** Count of cells without trailing empty ones, which banks add and omit at random. */
export const widthOf = (cells: readonly string[]) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

type Note = (code: StatementProblem['code'], line: number, value?: string) => void

/**
 * Reads the lines of a bank's CSV statement one at a time, by its mapping; an unreadable line is a problem with its
 * line number, and so is a row with more or fewer columns than the headings. Totals and balances of the file are
 * checked at its end. `tellDay` gets the days of lines without an amount, such as fees of zero, which are no lines here.
 */
export function* readStatementRows(
  rows: Iterable<CsvRow>,
  mapping: StatementMapping,
  today: string,
  tell: (problem: StatementProblem) => void,
  tellDay: (day: string) => void = () => {},
): Generator<StatementLine> {
  let problems = 0
  const note: Note = (code, line, value) => {
    problems += 1
    tell({ code, line, ...(value !== undefined && { value: value.slice(0, 80) }) })
  }
  const { amount: how } = mapping
  const used = [
    mapping.date,
    ...mapping.description,
    ...(mapping.reference === null ? [] : [mapping.reference]),
    ...(mapping.balance === null ? [] : [mapping.balance]),
    ...(how.kind === 'two' ? [how.credit, how.debit] : how.kind === 'marked' ? [how.column, how.mark] : [how.column]),
  ]
  const oldest = shiftDay(today, -oldestStatementDays)
  const skipped = (words: string) => mapping.skip.some((start) => words.startsWith(start.toLowerCase()))
  const said = (text: string) => tidy(text, 200).toLowerCase()
  const totals = totalsOf(mapping)
  const chain = balanceChain()
  // Count of columns with a heading, and with the empty headings behind them.
  let [least, most] = [0, 0]
  let lines = 0
  let headed = mapping.headerLine === 0

  for (const { number, cells, raw, fault } of rows) {
    if (number < mapping.headerLine) {
      totals.words(number, cells)
      continue
    }
    if (number === mapping.headerLine) {
      headed = true
      ;[least, most] = [widthOf(cells), cells.length]
      for (const at of new Set(used)) {
        const [was, is] = [mapping.header[at] ?? '', cells[at] ?? '']
        if (!sameWords(was, is)) note('statement_header_changed', number, `${was || '—'} → ${is || '—'}`)
      }
      if (problems > 0) return
      continue
    }
    if (cells.every((cell) => cell.trim() === '')) continue
    const cell = (at: number | null) => (at === null ? '' : (cells[at] ?? ''))
    const first = said(cells.find((one) => one.trim() !== '') ?? '')
    if (skipped(first)) {
      totals.row(number, cells, raw)
      continue
    }
    if (fault) {
      note(fault, number, raw)
      continue
    }
    // Without headings the first row sets the width.
    if (most === 0) [least, most] = [cells.length, cells.length]
    if (widthOf(cells) > most) {
      note('statement_column_extra', number, raw)
      continue
    }
    if (cells.length < least) {
      note('statement_column_missing', number, raw)
      continue
    }
    const amountCells = how.kind === 'two' ? [how.credit, how.debit] : [how.column]
    if (amountCells.every((at) => isBlank(cell(at))) && mapping.description.some((at) => skipped(said(cell(at))))) {
      totals.row(number, cells, raw)
      continue
    }
    if (lines >= mostStatementLines) {
      note('statement_too_many_lines', number)
      break
    }
    const line = readLine({ number, raw }, cell, mapping, { today, oldest }, note)
    if (!line) continue
    lines += 1
    chain.add(line)
    totals.add(line)
    // Interest, tax or fees of zero: no money moved.
    if (line.amountSen === 0) tellDay(line.day)
    else yield line
  }
  if (!headed) note('statement_header_changed', mapping.headerLine, '—')
  if (lines === 0 && problems === 0) note('statement_empty', Math.max(1, mapping.headerLine))
  // Lines left out as problems are missing in every sum.
  if (problems > 0) return
  const broken = chain.broken()
  if (broken) note('statement_balance_differs', broken.line, broken.value)
  else for (const wrong of totals.wrong(chain)) note('statement_total_differs', wrong.line, wrong.value)
}

/** Reads a row as a line; notes every problem of its day, amount and balance, and returns null if there is one. */
function readLine(
  { number, raw }: Pick<CsvRow, 'number' | 'raw'>,
  cell: (at: number | null) => string,
  mapping: StatementMapping,
  { today, oldest }: { today: string; oldest: string },
  note: Note,
): StatementLine | null {
  const day = readDay(cell(mapping.date), mapping.dateFormat)
  const dayProblem = !day
    ? 'statement_date_unreadable'
    : day > today
      ? 'statement_date_in_future'
      : day < oldest
        ? 'statement_date_too_old'
        : null
  if (dayProblem) note(dayProblem, number, cell(mapping.date))
  const amount = readMapped(cell, mapping)
  if ('problem' in amount) note(amount.problem, number, amount.value ?? raw)
  const balance = cell(mapping.balance).trim() ? readAmount(cell(mapping.balance), mapping) : { amountSen: null }
  if ('problem' in balance) note(balance.problem, number, cell(mapping.balance))
  if (!day || dayProblem || 'problem' in amount || 'problem' in balance) return null
  return {
    lineNumber: number,
    day,
    amountSen: amount.amountSen,
    reference: tidy(cell(mapping.reference).replace(/^'/, ''), 120),
    description: tidy(mapping.description.map(cell).join(' '), 1000),
    balanceSen: balance.amountSen,
    reversal: false,
    raw,
  }
}

/** An empty cell, or a dash. */
const isBlank = (text: string) => /^[-–—]?$/.test(text.trim())

type Mapped = ReadAmount & { value?: string }

function readMapped(cell: (at: number | null) => string, { amount: how, ...signs }: StatementMapping): Mapped {
  const read = (text: string): Mapped => ({ ...readAmount(text, signs), value: text })
  if (how.kind === 'signed')
    return isBlank(cell(how.column)) ? { problem: 'statement_amount_missing' } : read(cell(how.column))
  if (how.kind === 'marked') {
    if (isBlank(cell(how.column))) return { problem: 'statement_amount_missing' }
    const [result, mark] = [read(cell(how.column)), cell(how.mark)]
    if ('problem' in result || result.amountSen === 0) return result
    if (sameWords(mark, how.creditMark)) return { amountSen: Math.abs(result.amountSen) }
    if (sameWords(mark, how.debitMark)) return { amountSen: -Math.abs(result.amountSen) }
    return { problem: 'statement_mark_unknown', value: mark }
  }
  if (isBlank(cell(how.credit)) && isBlank(cell(how.debit))) return { problem: 'statement_amount_missing' }
  const [credit, debit] = [how.credit, how.debit].map(
    (at): Mapped => (isBlank(cell(at)) ? { amountSen: 0 } : read(cell(at))),
  ) as [Mapped, Mapped]
  if ('problem' in credit) return credit
  if ('problem' in debit) return debit
  if (credit.amountSen !== 0 && debit.amountSen !== 0) return { problem: 'statement_amount_twice' }
  return { amountSen: credit.amountSen !== 0 ? Math.abs(credit.amountSen) : -Math.abs(debit.amountSen) || 0 }
}
