import { shiftDay } from '#domain/calendar.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import type { CsvRow } from './csv-records.ts'
import { balanceChain, type Movement, totalsOf } from './statement-totals.ts'
import {
  isWithoutYear,
  leapYear,
  mostStatementLines,
  oldestStatementDays,
  type Period,
  periodIn,
  type ReadAmount,
  readAmount,
  readDay,
  type StatementLine,
  type StatementProblem,
  tidy,
} from './statement-values.ts'

const sameWords = (one: string, other: string) => tidy(one, 200).toLowerCase() === tidy(other, 200).toLowerCase()

/** Number of cells without trailing empty ones, which banks add and omit at random. */
export const widthOf = (cells: readonly string[]) => cells.findLastIndex((cell) => cell.trim() !== '') + 1

type Note = (code: StatementProblem['code'], line: number, value?: string) => void

/**
 * Reads the lines of a bank's CSV statement one at a time, by its mapping. An unreadable line, or a row with more or
 * fewer columns than the headings, is a problem with its line number. The file's totals and balances are checked at the
 * end. Movements the bank has not booked yet count in them, are passed to `tellPending`, and are not lines; lines
 * without an amount, such as fees of zero, pass only their day, to `tellDay`.
 */
export function* readStatementRows(
  rows: Iterable<CsvRow>,
  mapping: StatementMapping,
  today: string,
  tell: (problem: StatementProblem) => void,
  tellDay: (day: string) => void = () => {},
  tellPending: (movement: Movement) => void = () => {},
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
  // Number of columns with a heading, and including empty headings after them.
  let [least, most] = [0, 0]
  let lines = 0
  let headed = mapping.headerLine === 0
  let pending = 0
  let period: Period | undefined

  for (const { number, cells, raw, fault } of rows) {
    if (number < mapping.headerLine) {
      totals.words(number, cells)
      period ??= periodIn(cells)
      continue
    }
    if (number === mapping.headerLine) {
      headed = true
      ;[least, most] = [widthOf(cells), cells.length]
      for (const at of new Set(used)) {
        const [was, is] = [mapping.header[at] ?? '', cells[at] ?? '']
        if (!sameWords(was, is)) note('statement_header_changed', number, `${was || '—'} → ${is || '—'}`)
      }
      if (problems === 0 && !period && isWithoutYear(mapping.dateFormat)) note('statement_period_missing', number)
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
    // Without headings, the first row sets the width.
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
    if (lines + pending >= mostStatementLines) {
      note('statement_too_many_lines', number)
      break
    }
    const cut = used.find((at) => isCut(cell(at)))
    if (cut !== undefined) {
      note('statement_number_cut', number, cell(cut))
      continue
    }
    const isPending = pendingDate.test(cell(mapping.date).trim())
    const day = isPending ? null : readDate(cell(mapping.date), number, mapping, { today, oldest, period }, note)
    const movement = readMovement({ number, raw }, cell, mapping, note)
    if (isPending && movement) {
      pending += 1
      chain.add(movement)
      totals.add(movement)
      tellPending(movement)
    }
    if (!day || !movement) continue
    const line = {
      ...{ ...movement, day, reversal: false },
      reference: tidy(cell(mapping.reference).replace(/^'/, ''), 120),
      description: tidy(mapping.description.map(cell).join(' '), 1000),
    }
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

/** Written instead of a day for a movement that the bank has not booked yet. */
const pendingDate = /^'?pend(ing)?$/i

/** A number that a spreadsheet has shortened to fifteen digits. */
const isCut = (text: string) => /^\d([.,]\d+)?E\+\d{2,3}$/i.test(text.trim())

type Days = { today: string; oldest: string; period: Period | undefined }

/** Reads the day of a row; notes a problem and returns null if it is unreadable. */
function readDate(
  text: string,
  number: number,
  { dateFormat }: StatementMapping,
  { today, oldest, period }: Days,
  note: Note,
): string | null {
  const day = readDay(text, dateFormat, period)
  const isOutside = !day && isWithoutYear(dateFormat) && readDay(text, dateFormat, leapYear) !== null
  const problem = isOutside
    ? 'statement_date_outside_period'
    : !day
      ? 'statement_date_unreadable'
      : day > today
        ? 'statement_date_in_future'
        : day < oldest
          ? 'statement_date_too_old'
          : null
  if (problem) note(problem, number, text)
  return problem ? null : day
}

/** Reads the amount and balance of a row; notes each problem and returns null if there is one. */
function readMovement(
  { number, raw }: Pick<CsvRow, 'number' | 'raw'>,
  cell: (at: number | null) => string,
  mapping: StatementMapping,
  note: Note,
): Movement | null {
  const amount = readMapped(cell, mapping)
  if ('problem' in amount) note(amount.problem, number, amount.value ?? raw)
  const balance = cell(mapping.balance).trim() ? readAmount(cell(mapping.balance), mapping) : { amountSen: null }
  if ('problem' in balance) note(balance.problem, number, cell(mapping.balance))
  if ('problem' in amount || 'problem' in balance) return null
  return { lineNumber: number, amountSen: amount.amountSen, balanceSen: balance.amountSen, raw }
}

/** Whether a cell is empty or a dash. */
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
