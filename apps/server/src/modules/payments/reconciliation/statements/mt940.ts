import {
  dayOf,
  longestStatementLine,
  mostStatementLines,
  readAmount,
  type StatementLine,
  type StatementProblem,
  tidy,
} from './statement-values.ts'

/** A statement of a file: the lines of a day or of a page, between two balances. */
export type Statement = {
  /** Account number as the bank writes it. */
  account: string
  number: string
  openingDay: string
  openingSen: number
  closingDay: string
  closingSen: number
  lines: number
  /** Line of the file where the statement starts. */
  lineNumber: number
}

type Field = { tag: string; value: string; line: number; long: boolean }
/** Longest line of a field; a word that fills it continues on the next line. */
const fullLine = 65

/**
 * Reads the account statements of an MT940 file one line at a time, with any line ends and with or without SWIFT's
 * envelope. Balances must add up, within a statement and from one to the next, which reveals a truncated file, a
 * missing day between two others, or a misread number. Nothing is skipped silently: unreadable content is a problem.
 */
export function* readMt940(
  text: string,
  tell: (problem: StatementProblem) => void,
): Generator<StatementLine, Statement[]> {
  const statements: (Statement & { content: string })[] = []
  let open: Draft | null = null
  let entry: { field: Field; info: Field[] } | null = null
  let problems = 0
  let lines = 0

  const note = (code: StatementProblem['code'], line: number, value?: string) => {
    problems += 1
    tell({ code, line, ...(value !== undefined && { value: value.slice(0, 80) }) })
  }

  function* closeEntry(): Generator<StatementLine> {
    if (entry && open) {
      const read = readEntry(entry.field, entry.info)
      if ('problem' in read) note(read.problem, entry.field.line, entry.field.value.split('\n')[0])
      else {
        const { line } = read
        open.lines += 1
        open.sumSen += line.amountSen
        open.content = mixed(open.content, `${line.day} ${line.amountSen} ${line.reference} ${line.description}`)
        lines += 1
        if (lines === mostStatementLines + 1) note('statement_too_many_lines', line.lineNumber)
        if (line.amountSen !== 0 && lines <= mostStatementLines) yield line
      }
    }
    entry = null
  }

  function* closeStatement(): Generator<StatementLine> {
    yield* closeEntry()
    if (!open) return
    const { account, number, opening, closing, sumSen, line, content } = open
    if (account === undefined || !opening || !closing) note('statement_incomplete', line)
    else {
      const endSen = opening.amountSen + sumSen
      if (problems === 0 && endSen !== closing.amountSen)
        note('statement_balance_differs', line, `${plain(endSen)} ≠ ${plain(closing.amountSen)}`)
      const balances = {
        openingDay: opening.day,
        openingSen: opening.amountSen,
        closingDay: closing.day,
        closingSen: closing.amountSen,
      }
      statements.push({ account, number, ...balances, lines: open.lines, lineNumber: line, content })
    }
    open = null
  }

  for (const field of fieldsOf(text)) {
    const { tag, value, line } = field
    if (field.long) {
      note('statement_line_too_long', line, value)
      continue
    }
    if (tag === '20') {
      yield* closeStatement()
      open = { line, number: '', lines: 0, sumSen: 0, content: '' }
      continue
    }
    if (!open) {
      note('statement_line_unreadable', line, `:${tag}:${value}`)
      continue
    }
    if (tag === '61') {
      yield* closeEntry()
      entry = { field, info: [] }
    } else if (tag === '86') {
      if (entry) entry.info.push(field)
    } else if (tag === '25' || tag === '25P') {
      const { account, currency } = accountOf(value.split('\n')[0]!)
      if (currency !== 'IDR') note('statement_currency', line, value)
      open.account = account
    } else if (tag === '28C' || tag === '28') open.number = value.trim()
    else if (/^6[02][FM]$/.test(tag)) {
      yield* closeEntry()
      const read = readBalance(value)
      if ('problem' in read) note(read.problem, line, value)
      else if (tag.startsWith('60')) open.opening ??= read
      else open.closing = read
    } else yield* closeEntry()
  }
  yield* closeStatement()
  if (statements.length === 0 && problems === 0) note('statement_empty', 1)
  const [first] = statements
  for (const { account, lineNumber } of statements)
    if (account !== first?.account) note('statement_other_account', lineNumber, account)
  if (problems === 0) for (const wrong of betweenStatements(statements)) note(wrong.code, wrong.line, wrong.value)
  return statements.map(({ content: _, ...statement }) => statement)
}

/** Problems between the statements of a file: a duplicate, or balances that do not continue. */
function betweenStatements(statements: readonly (Statement & { content: string })[]): StatementProblem[] {
  const seen = new Set<string>()
  const twice = statements.filter((one) => {
    const key = JSON.stringify([
      one.number,
      one.openingDay,
      one.closingDay,
      one.openingSen,
      one.closingSen,
      one.content,
    ])
    return one.lines > 0 && seen.size === seen.add(key).size
  })
  if (twice.length > 0)
    return twice.map(({ lineNumber, number, closingDay }) => ({
      ...{ code: 'statement_twice', line: lineNumber, value: [number, closingDay].filter(Boolean).join(' · ') },
    }))
  const gapsIn = (ordered: typeof statements) =>
    ordered.flatMap((one, at) => {
      const before = ordered[at - 1]
      return before && before.closingSen !== one.openingSen ? [{ before, one }] : []
    })
  const byDay = statements.toSorted((a, b) => (a.closingDay < b.closingDay ? -1 : a.closingDay > b.closingDay ? 1 : 0))
  const reversedByDay = statements
    .toReversed()
    .toSorted((a, b) => (a.closingDay < b.closingDay ? -1 : a.closingDay > b.closingDay ? 1 : 0))
  if ([statements, statements.toReversed(), reversedByDay].some((ordered) => gapsIn(ordered).length === 0)) return []
  return gapsIn(byDay).map(({ before, one }) => ({
    code: 'statement_days_missing',
    line: one.lineNumber,
    value: `${before.closingDay} ${plain(before.closingSen)} → ${one.openingDay} ${plain(one.openingSen)}`,
  }))
}

/** Sen as the file writes them: `100000,35`. */
const plain = (sen: number) =>
  `${sen < 0 ? '-' : ''}${Math.floor(Math.abs(sen) / 100)},${String(Math.abs(sen) % 100).padStart(2, '0')}`

/** Running FNV-1a hash of a text and all texts before it, for comparing two statements without storing their lines. */
function mixed(before: string, text: string): string {
  let hash = before === '' ? 0x811c9dc5 : Number(before)
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return String(hash)
}

/** `008/1234567890IDR`: some banks append the currency to the account number. */
function accountOf(value: string): { account: string; currency: string } {
  const found = /^(.*\d)[\s/.-]*(IDR|USD|SGD|EUR|JPY|AUD|CNY|CNH|GBP|HKD|MYR|SAR|CHF|CAD|NZD|THB|KRW)$/.exec(
    value.trim(),
  )
  const [, account = value.trim(), currency = 'IDR'] = found ?? []
  return { account, currency }
}

type Balance = { day: string; amountSen: number }
type Draft = {
  line: number
  account?: string
  number: string
  opening?: Balance
  closing?: Balance
  lines: number
  sumSen: number
  content: string
}

/** Tags with their values; a line without a tag continues the previous field. */
function* fieldsOf(text: string): Generator<Field> {
  let field: Field | null = null
  let number = 0
  for (const { line: whole, long } of linesOf(text)) {
    number += 1
    // SWIFT's envelope may precede the first tag on its line.
    const line = long ? whole : whole.replace(/^(?:-\})?(?:\{[1235]:(?:[^{}]|\{[^{}]*\})*\})*(?:\{4:)?/, '')
    const [, tag, value] = /^:(\d{2}[A-Z]?):([\s\S]*)$/.exec(line) ?? []
    if (tag !== undefined && value !== undefined) {
      if (field) yield field
      field = { tag, value: value.trimEnd(), line: number, long }
    } else if (line === '-' || line.trim() === '') continue
    else if (field) {
      if (field.value.length + line.length > longestStatementLine) field.long = true
      else field.value += `\n${line.trimEnd()}`
    } else field = { tag: '?', value: line, line: number, long }
  }
  if (field) yield field
}

/** The lines of a text, ended by CRLF, LF or CR; only the start of an overlong line. */
function* linesOf(text: string): Generator<{ line: string; long: boolean }> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    let end = at
    while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end += 1
    yield { line: text.slice(at, Math.min(end, at + longestStatementLine)), long: end - at > longestStatementLine }
    at = text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1
  }
}

const signs = { decimal: ',', thousands: '' } as const

/** SWIFT writes a comma before the sen; some banks write a dot. */
const readDigits = (digits: string) =>
  readAmount(/^\d+\.\d{1,2}$/.test(digits) ? digits.replace('.', ',') : digits, signs)

const signed = (amountSen: number, out: boolean) => (out && amountSen > 0 ? -amountSen : amountSen)

function readBalance(value: string): Balance | { problem: StatementProblem['code'] } {
  const found = /^([CD])(\d{2})(\d{2})(\d{2})([A-Z]{3})(\d[\d,.]*)$/.exec(value.trim())
  if (!found) return { problem: 'statement_line_unreadable' }
  const [, mark, yy, mm, dd, currency, digits] = found
  if (currency !== 'IDR') return { problem: 'statement_currency' }
  const day = dayOf(2000 + Number(yy), Number(mm), Number(dd))
  if (!day) return { problem: 'statement_date_unreadable' }
  const read = readDigits(digits!)
  if ('problem' in read) return read
  return { day, amountSen: signed(read.amountSen, mark === 'D') }
}

const entryPattern =
  /^(\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2}))?(RC|RD|C|D)([A-Z])?(\d[\d,.]*)([NFS][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/

function readEntry(field: Field, info: Field[]): { line: StatementLine } | { problem: StatementProblem['code'] } {
  const found = entryPattern.exec(field.value)
  if (!found) return { problem: 'statement_line_unreadable' }
  const [, yy, mm, dd, entryMonth, entryDay, mark, , digits, , ours = '', theirs = '', more = ''] = found
  const month = Number(mm)
  // The booking day has no year; near the turn of the year its year may differ from that of the value day.
  const turn = entryMonth === '12' && month === 1 ? -1 : entryMonth === '01' && month === 12 ? 1 : 0
  const year = 2000 + Number(yy)
  const valueDay = dayOf(year, month, Number(dd))
  const day = entryMonth ? dayOf(year + turn, Number(entryMonth), Number(entryDay)) : valueDay
  if (!day || !valueDay) return { problem: 'statement_date_unreadable' }
  const read = readDigits(digits!)
  if ('problem' in read) return read
  const known = [theirs, ours].map((one) => tidy(one, 120)).filter((one) => one && one !== 'NONREF')
  const words = [joined(more), ...info.map(({ value }) => informationOf(value))]
  return {
    line: {
      lineNumber: field.line,
      day,
      amountSen: signed(read.amountSen, mark === 'D' || mark === 'RC'),
      reference: known[0] ?? '',
      description: tidy([...words, ...known.slice(1)].join(' '), 1000),
      balanceSen: null,
      reversal: mark === 'RC' || mark === 'RD',
      raw: [field, ...info].map(({ tag, value }) => `:${tag}:${value}`).join('\n'),
    },
  }
}

/** Joins the lines of a field. A full line continues without a space, because the bank broke it at the limit. */
const joined = (text: string) =>
  text
    .split('\n')
    .reduce((all, line, at, lines) => all + (at > 0 && lines[at - 1]!.length < fullLine ? ' ' : '') + line, '')

/** The description of a line, even if a bank splits it into numbered parts (`?20…?21…`) of 27 characters. */
function informationOf(value: string): string {
  const text = joined(value)
  if (!/^\d{3}\?\d{2}|^\?\d{2}/.test(text)) return text
  const parts = text.split(/\?(?=\d{2})/).slice(1)
  return parts.reduce((all, part, at) => {
    const goesOn = at > 0 && parts[at - 1]!.length - 2 >= 27
    return all + (goesOn ? '' : ' ') + part.slice(2)
  }, '')
}
