import { z } from 'zod'
import {
  dateFormats,
  mostStatementLines,
  type ReadAmount,
  readAmount,
  readDay,
  type StatementLine,
  type StatementProblem,
  tidy,
} from './statement-lines.ts'

const column = z.int().min(0).max(99)

/** How the CSV files of one bank are read. Columns are counted from 0. */
export const statementMapping = z.strictObject({
  delimiter: z.enum([',', ';', '\t', '|']),
  /** Line of the headings, counted from 1; 0 where there are none. */
  headerLine: z.int().min(0).max(50),
  /** The headings of that line when the mapping was made: a bank that moves its columns is found out. */
  header: z.array(z.string().max(200)).max(100),
  date: column,
  dateFormat: z.enum(dateFormats),
  description: z.array(column).min(1).max(5),
  reference: column.nullable(),
  amount: z.discriminatedUnion('kind', [
    /** One column with a sign, or with CR or DB behind the number. */
    z.strictObject({ kind: z.literal('signed'), column }),
    z.strictObject({ kind: z.literal('two'), credit: column, debit: column }),
    /** One column for the number, another for what it is. */
    z.strictObject({
      kind: z.literal('marked'),
      column,
      mark: column,
      creditMark: z.string().trim().min(1).max(20),
      debitMark: z.string().trim().min(1).max(20),
    }),
  ]),
  balance: column.nullable(),
  decimal: z.enum([',', '.']),
  thousands: z.enum(['.', ',', ' ', "'", '']),
  /** Lines that begin with one of these are no transfers, such as totals at the end. */
  skip: z.array(z.string().trim().min(1).max(60)).max(20),
})
export type StatementMapping = z.output<typeof statementMapping>

export type CsvRow = { number: number; cells: string[]; raw: string }

export type ReadCsv = { lines: StatementLine[]; problems: StatementProblem[] }

const sameWords = (one: string, other: string) => tidy(one, 200).toLowerCase() === tidy(other, 200).toLowerCase()

/** The lines of a bank's CSV statement, by its mapping; whatever is not understood is a problem with its line. */
export function readStatementRows(rows: readonly CsvRow[], mapping: StatementMapping, today: string): ReadCsv {
  const problems: StatementProblem[] = []
  const lines: StatementLine[] = []
  const note = (code: StatementProblem['code'], line: number, value?: string) =>
    problems.push({ code, line, ...(value !== undefined && { value: value.slice(0, 80) }) })

  const { amount: how } = mapping
  const used = [
    mapping.date,
    ...mapping.description,
    ...(mapping.reference === null ? [] : [mapping.reference]),
    ...(mapping.balance === null ? [] : [mapping.balance]),
    ...(how.kind === 'two' ? [how.credit, how.debit] : how.kind === 'marked' ? [how.column, how.mark] : [how.column]),
  ]
  if (mapping.headerLine > 0) {
    const header = rows.find(({ number }) => number === mapping.headerLine)
    for (const at of new Set(used)) {
      const [was, is] = [mapping.header[at] ?? '', header?.cells[at] ?? '']
      if (!sameWords(was, is)) note('statement_header_changed', mapping.headerLine, `${was || '—'} → ${is || '—'}`)
    }
  }
  if (problems.length > 0) return { lines, problems }

  for (const { number, cells, raw } of rows) {
    if (number <= mapping.headerLine || cells.every((cell) => cell.trim() === '')) continue
    const begins = tidy(cells.find((cell) => cell.trim() !== '') ?? '', 200).toLowerCase()
    if (mapping.skip.some((words) => begins.startsWith(words.toLowerCase()))) continue
    if (lines.length >= mostStatementLines) {
      note('statement_too_many_lines', number)
      break
    }
    const cell = (at: number | null) => (at === null ? '' : (cells[at] ?? ''))
    if (cells.length <= Math.max(mapping.date, ...(how.kind === 'two' ? [] : [how.column]))) {
      note('statement_column_missing', number, raw)
      continue
    }
    const before = problems.length
    const day = readDay(cell(mapping.date), mapping.dateFormat)
    if (!day) note('statement_date_unreadable', number, cell(mapping.date))
    else if (day > today) note('statement_date_in_future', number, cell(mapping.date))
    const amount = readMapped(cell, mapping)
    if ('problem' in amount) note(amount.problem, number, amount.value ?? raw)
    const balance = cell(mapping.balance).trim() ? readAmount(cell(mapping.balance), mapping) : { amount: null }
    if ('problem' in balance) note(balance.problem, number, cell(mapping.balance))
    if (problems.length > before || !day || 'problem' in amount || 'problem' in balance) continue
    lines.push({
      lineNumber: number,
      day,
      amount: amount.amount,
      reference: tidy(cell(mapping.reference).replace(/^'/, ''), 120),
      description: tidy(mapping.description.map(cell).join(' '), 1000),
      balance: balance.amount,
      reversal: false,
      raw,
    })
  }
  if (lines.length === 0 && problems.length === 0) note('statement_empty', Math.max(1, mapping.headerLine))
  if (problems.length === 0) {
    const broken = brokenBalance(lines)
    if (broken) note('statement_balance_differs', broken.lineNumber, broken.raw)
  }
  return { lines, problems }
}

type Mapped = ReadAmount & { value?: string }

function readMapped(cell: (at: number | null) => string, { amount: how, ...signs }: StatementMapping): Mapped {
  const read = (text: string): Mapped => ({ ...readAmount(text, signs), value: text })
  const notNothing = (result: Mapped): Mapped =>
    'amount' in result && result.amount === 0 ? { problem: 'statement_amount_missing' } : result
  if (how.kind === 'signed')
    return cell(how.column).trim() ? notNothing(read(cell(how.column))) : { problem: 'statement_amount_missing' }
  if (how.kind === 'marked') {
    if (!cell(how.column).trim()) return { problem: 'statement_amount_missing' }
    const [result, mark] = [notNothing(read(cell(how.column))), cell(how.mark)]
    if ('problem' in result) return result
    if (sameWords(mark, how.creditMark)) return { amount: Math.abs(result.amount) }
    if (sameWords(mark, how.debitMark)) return { amount: -Math.abs(result.amount) }
    return { problem: 'statement_mark_unknown', value: mark }
  }
  const [credit, debit] = [how.credit, how.debit].map(
    (at): Mapped => (cell(at).trim() && cell(at).trim() !== '-' ? read(cell(at)) : { amount: 0 }),
  ) as [Mapped, Mapped]
  if ('problem' in credit) return credit
  if ('problem' in debit) return debit
  if (credit.amount !== 0 && debit.amount !== 0) return { problem: 'statement_amount_twice' }
  if (credit.amount === 0 && debit.amount === 0) return { problem: 'statement_amount_missing' }
  return { amount: credit.amount !== 0 ? Math.abs(credit.amount) : -Math.abs(debit.amount) }
}

/** The first line whose balance does not follow from its neighbour's, whichever end of the file is the newer one. */
function brokenBalance(lines: readonly StatementLine[]): StatementLine | undefined {
  const told = lines.filter(({ balance }) => balance !== null)
  if (told.length < lines.length || told.length < 2) return undefined
  const breakIn = (ordered: readonly StatementLine[]) =>
    ordered.find((line, at) => at > 0 && ordered[at - 1]!.balance! + line.amount !== line.balance)
  const forwards = breakIn(told)
  return forwards && breakIn(told.toReversed()) ? forwards : undefined
}
