/** One line of a bank's account statement. Whole rupiah; money that leaves the account is negative. */
export type StatementLine = {
  /** Where it begins in the file, counted from one. */
  lineNumber: number
  /** `2026-11-20` */
  day: string
  amount: number
  /** What the bank calls the transfer; empty where it says nothing. */
  reference: string
  description: string
  balance: number | null
  /** The bank takes back an earlier line. */
  reversal: boolean
  raw: string
}

export const statementProblems = [
  'statement_empty',
  'statement_incomplete',
  'statement_line_unreadable',
  'statement_date_unreadable',
  'statement_date_in_future',
  'statement_amount_unreadable',
  'statement_amount_fraction',
  'statement_amount_missing',
  'statement_amount_twice',
  'statement_amount_too_large',
  'statement_mark_unknown',
  'statement_currency',
  'statement_other_account',
  'statement_balance_differs',
  'statement_header_changed',
  'statement_column_missing',
  'statement_too_many_lines',
] as const
export type StatementProblemCode = (typeof statementProblems)[number]

/** Why a file is not understood, with the line it was seen on. */
export type StatementProblem = { code: StatementProblemCode; line: number; value?: string }

export const statementStates = ['new', 'matched', 'explained'] as const

export const explanations = ['fee', 'interest', 'own_transfer', 'other'] as const

export const matchedBy = ['reference', 'number', 'hand', 'recorded'] as const

/** Longest statement that is read at once. */
export const mostStatementLines = 20_000
export const mostStatementBytes = 5_000_000

/** Far above any real transfer, far below where whole numbers become inexact. */
const mostRupiah = 100_000_000_000_000

type Signs = { decimal: ',' | '.'; thousands: '.' | ',' | ' ' | "'" | '' }

export type ReadAmount = { amount: number } | { problem: StatementProblemCode }

/**
 * Whole rupiah from what stands in a cell: `1.000.000,00`, `-Rp 5.000`, `(5000)`, `2,500.00 DB`. Groups of thousands must
 * be whole, so that signs taken for each other are found and not misread; a fraction other than zero is a problem.
 */
export function readAmount(text: string, { decimal, thousands }: Signs): ReadAmount {
  let rest = text.normalize('NFKC').trim()
  let negative = false
  const marked = /^(.*?)\s*\b(CR|DB|DR|K|D|C)\.?$/i.exec(rest)
  if (marked?.[1] && marked[2]) {
    negative = /^(DB|DR|D)$/i.test(marked[2])
    rest = marked[1]
  }
  const inBrackets = /^\((.*)\)$/.exec(rest)
  if (inBrackets) {
    negative = true
    rest = inBrackets[1]!.trim()
  }
  rest = rest.replace(/^([+-]?)\s*(?:Rp|IDR)\.?\s*/i, '$1')
  const sign = /^([+-])\s*(.*)$/.exec(rest) ?? /^(.*?)\s*([+-])$/.exec(rest)
  if (sign) {
    const [, a = '', b = ''] = sign
    const [mark, digits] = a === '+' || a === '-' ? [a, b] : [b, a]
    if (mark === '-') negative = !negative
    rest = digits.trim()
  }
  const [whole = '', fraction, ...more] = rest.split(decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d{0,2}$/.test(fraction)))
    return { problem: 'statement_amount_unreadable' }
  const groups = thousands ? whole.split(thousands) : [whole]
  const regular =
    groups.every((group) => /^\d+$/.test(group)) &&
    (groups.length === 1 || (groups[0]!.length <= 3 && groups.slice(1).every((group) => group.length === 3)))
  if (!regular) return { problem: 'statement_amount_unreadable' }
  if (fraction && /[1-9]/.test(fraction)) return { problem: 'statement_amount_fraction' }
  const amount = Number(groups.join(''))
  if (amount > mostRupiah) return { problem: 'statement_amount_too_large' }
  return { amount: negative && amount > 0 ? -amount : amount }
}

export const dateFormats = [
  'dd/mm/yyyy',
  'dd-mm-yyyy',
  'dd.mm.yyyy',
  'yyyy-mm-dd',
  'yyyy/mm/dd',
  'yyyymmdd',
  'dd/mm/yy',
  'dd-mm-yy',
  'mm/dd/yyyy',
  'dd mmm yyyy',
  'dd-mmm-yyyy',
] as const
export type DateFormat = (typeof dateFormats)[number]

const months: Record<string, number> = Object.fromEntries(
  [
    ['jan'],
    ['feb', 'peb'],
    ['mar'],
    ['apr'],
    ['may', 'mei'],
    ['jun'],
    ['jul'],
    ['aug', 'agu', 'ags'],
    ['sep'],
    ['oct', 'okt'],
    ['nov', 'nop'],
    ['dec', 'des'],
  ].flatMap((names, at) => names.map((name) => [name, at + 1])),
)

const patterns = new Map(
  dateFormats.map((format) => [
    format,
    new RegExp(
      `^${format
        .replace(/[./]/g, '\\$&')
        .replace('mmm', '(?<name>[A-Za-z]{3})[A-Za-z]*')
        .replace('yyyy', '(?<year>\\d{4})')
        .replace('yy', '(?<short>\\d{2})')
        .replace('mm', format === 'yyyymmdd' ? '(?<month>\\d{2})' : '(?<month>\\d{1,2})')
        .replace('dd', format === 'yyyymmdd' ? '(?<day>\\d{2})' : '(?<day>\\d{1,2})')}(?:[T ]+\\d.*)?$`,
    ),
  ]),
)

/** `2026-11-20` from a cell written in a format, a time behind it left aside; null when it is no day. */
export function readDay(text: string, format: DateFormat): string | null {
  const found = patterns.get(format)!.exec(text.trim().replace(/^'/, ''))?.groups
  if (!found) return null
  const month = found.name ? months[found.name.toLowerCase()] : Number(found.month)
  const year = found.year ? Number(found.year) : 2000 + Number(found.short)
  return dayOf(year, month ?? 0, Number(found.day))
}

/** The day as text, null when the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return date.toISOString().slice(0, 10)
}

/** One space between words, nothing around; what identifies a line does not hang on how a bank pads it. */
export const tidy = (text: string, longest: number) =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .trim()

/** Which of several equal lines of a day each one is, counted in the order of the file. */
export function withOccurrences<L extends Pick<StatementLine, 'day' | 'amount' | 'reference' | 'description'>>(
  lines: readonly L[],
): (L & { occurrence: number })[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const key = JSON.stringify([line.day, line.amount, line.reference, line.description])
    const occurrence = (seen.get(key) ?? 0) + 1
    seen.set(key, occurrence)
    return { ...line, occurrence }
  })
}

/** Every run of digits and letters in a text that may be a bank's reference, and every number that may be one of ours. */
export function namesIn(...texts: string[]): { references: string[]; numbers: string[] } {
  const text = texts.join(' \n ')
  const words = text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => [word, ...word.split(/[_-]+/)])
  const references = words.filter((word) => word.length >= 6 && /\d/.test(word)).map((word) => word.toLowerCase())
  // Banks group long numbers with spaces, dots or dashes.
  const grouped = text.match(/\d(?:[ .-]?\d){7,40}/g) ?? []
  const plain = text.match(/\d{8,28}/g) ?? []
  const numbers = [...plain, ...grouped.map((run) => run.replace(/\D/g, ''))].filter(
    (run) => run.length >= 8 && run.length <= 28,
  )
  return { references: [...new Set(references)], numbers: [...new Set(numbers)] }
}
