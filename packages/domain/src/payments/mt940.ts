import { dayOf, readAmount, type StatementLine, type StatementProblem, tidy } from './statement-lines.ts'

export type Statement = {
  /** Account as the bank writes it. */
  account: string
  number: string
  closingDay: string
  closingBalance: number
  lines: StatementLine[]
}

export type ReadStatements = { statements: Statement[]; problems: StatementProblem[] }

type Field = { tag: string; value: string; line: number }

/** Longest line of a field: a word that fills it goes on in the next one. */
const fullLine = 65

/**
 * Reads the account statements of an MT940 file, with lines that end in LF or CRLF and SWIFT's envelope around them or
 * not. Balances must add up, so that a file cut off on the way or read wrongly is found. Nothing is left out quietly:
 * what is not understood is a problem.
 */
export function readMt940(text: string): ReadStatements {
  const problems: StatementProblem[] = []
  const statements: Statement[] = []
  let open: Draft | null = null
  let entry: { field: Field; info: Field[] } | null = null

  const note = (code: StatementProblem['code'], line: number, value?: string) =>
    problems.push({ code, line, ...(value !== undefined && { value: value.slice(0, 80) }) })

  const closeEntry = () => {
    if (entry && open) {
      const read = readEntry(entry.field, entry.info)
      if ('problem' in read) note(read.problem, entry.field.line, entry.field.value.split('\n')[0])
      else open.lines.push(read.line)
    }
    entry = null
  }

  const closeStatement = () => {
    closeEntry()
    if (!open) return
    const { account, number, opening, closing, lines, line } = open
    if (account === undefined || !opening || !closing) note('statement_incomplete', line)
    else {
      const sum = lines.reduce((total, { amount }) => total + amount, opening.amount)
      if (problems.length === 0 && sum !== closing.amount)
        note('statement_balance_differs', line, `${sum} ≠ ${closing.amount}`)
      statements.push({ account, number, closingDay: closing.day, closingBalance: closing.amount, lines })
    }
    open = null
  }

  for (const field of fieldsOf(text)) {
    const { tag, value, line } = field
    if (tag === '20') {
      closeStatement()
      open = { line, number: '', lines: [] }
      continue
    }
    if (!open) {
      note('statement_line_unreadable', line, `:${tag}:${value}`)
      continue
    }
    if (tag === '61') {
      closeEntry()
      entry = { field, info: [] }
    } else if (tag === '86') {
      if (entry) entry.info.push(field)
    } else if (tag === '25') open.account = value.split('\n')[0]!.trim()
    else if (tag === '28C' || tag === '28') open.number = value.trim()
    else if (/^6[02][FM]$/.test(tag)) {
      closeEntry()
      const read = readBalance(value)
      if ('problem' in read) note(read.problem, line, value)
      else if (tag.startsWith('60')) open.opening ??= read
      else open.closing = read
    } else closeEntry()
  }
  closeStatement()
  if (statements.length === 0 && problems.length === 0) note('statement_empty', 1)
  const first = statements[0]?.account
  for (const { account } of statements) if (account !== first) note('statement_other_account', 1, account)
  return { statements, problems: problems.toSorted((a, b) => a.line - b.line) }
}

type Balance = { day: string; amount: number }
type Draft = {
  line: number
  account?: string
  number: string
  opening?: Balance
  closing?: Balance
  lines: StatementLine[]
}

/** Tags with their values; a line that begins with no tag goes on with the one before. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = []
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  for (const [at, whole] of lines.entries()) {
    // SWIFT's envelope may stand before the first tag, on its line, and after the last.
    const line = whole.replace(/^(?:-\})?(?:\{[1235]:(?:[^{}]|\{[^{}]*\})*\})*(?:\{4:)?/, '')
    const tagged = /^:(\d{2}[A-Z]?):(.*)$/.exec(line)
    if (tagged) fields.push({ tag: tagged[1]!, value: tagged[2]!.trimEnd(), line: at + 1 })
    else if (line === '-' || line.trim() === '') continue
    else if (fields.length > 0) fields.at(-1)!.value += `\n${line.trimEnd()}`
    else fields.push({ tag: '?', value: line, line: at + 1 })
  }
  return fields
}

const signs = { decimal: ',', thousands: '' } as const

function readBalance(value: string): Balance | { problem: StatementProblem['code'] } {
  const found = /^([CD])(\d{2})(\d{2})(\d{2})([A-Z]{3})([\d,]+)$/.exec(value.trim())
  if (!found) return { problem: 'statement_line_unreadable' }
  const [, mark, yy, mm, dd, currency, digits] = found
  if (currency !== 'IDR') return { problem: 'statement_currency' }
  const day = dayOf(2000 + Number(yy), Number(mm), Number(dd))
  if (!day) return { problem: 'statement_date_unreadable' }
  const read = readAmount(digits!, signs)
  if ('problem' in read) return read
  return { day, amount: mark === 'D' ? -read.amount : read.amount }
}

const entryPattern =
  /^(\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2}))?(RC|RD|C|D)([A-Z])?(\d[\d,]*)([NFS][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/

function readEntry(field: Field, info: Field[]): { line: StatementLine } | { problem: StatementProblem['code'] } {
  const found = entryPattern.exec(field.value)
  if (!found) return { problem: 'statement_line_unreadable' }
  const [, yy, mm, dd, entryMonth, entryDay, mark, , digits, , ours = '', theirs = '', more = ''] = found
  const month = Number(mm)
  // The day the bank booked it is told without its year, which may differ from the one of the value day at its turn.
  const turn = entryMonth === '12' && month === 1 ? -1 : entryMonth === '01' && month === 12 ? 1 : 0
  const year = 2000 + Number(yy)
  const valueDay = dayOf(year, month, Number(dd))
  const day = entryMonth ? dayOf(year + turn, Number(entryMonth), Number(entryDay)) : valueDay
  if (!day || !valueDay) return { problem: 'statement_date_unreadable' }
  const read = readAmount(digits!, signs)
  if ('problem' in read) return read
  if (read.amount === 0) return { problem: 'statement_amount_missing' }
  const known = [theirs, ours].map((one) => tidy(one, 120)).filter((one) => one && one !== 'NONREF')
  const words = [joined(more), ...info.map(({ value }) => informationOf(value))]
  return {
    line: {
      lineNumber: field.line,
      day,
      amount: mark === 'D' || mark === 'RC' ? -read.amount : read.amount,
      reference: known[0] ?? '',
      description: tidy([...words, ...known.slice(1)].join(' '), 1000),
      balance: null,
      reversal: mark === 'RC' || mark === 'RD',
      raw: [field, ...info].map(({ tag, value }) => `:${tag}:${value}`).join('\n'),
    },
  }
}

/** Lines of a field in one; a full line goes on without a space, since the bank broke it where it had to. */
const joined = (text: string) =>
  text
    .split('\n')
    .reduce((all, line, at, lines) => all + (at > 0 && lines[at - 1]!.length < fullLine ? ' ' : '') + line, '')

/** What is told about a line, also where a bank cuts it into numbered parts (`?20…?21…`) of 27 letters. */
function informationOf(value: string): string {
  const text = joined(value)
  if (!/^\d{3}\?\d{2}|^\?\d{2}/.test(text)) return text
  const parts = text.split(/\?(?=\d{2})/).slice(1)
  return parts.reduce((all, part, at) => {
    const goesOn = at > 0 && parts[at - 1]!.length - 2 >= 27
    return all + (goesOn ? '' : ' ') + part.slice(2)
  }, '')
}
