import type { statementProblems } from '#domain/errors.ts'
import { mustGet } from '#domain/must.ts'
import { dateFormats } from '#domain/payments/reconciliation/statement-lines.ts'
import { cleanLine } from '#entities/define/typed-text.ts'

/** A line of a bank's account statement, in sen (100 are one rupiah); outgoing money is negative. */
export type StatementLine = {
  /** Line of the file where it starts, counted from 1. */
  lineNumber: number
  /** `2026-11-20` */
  day: string
  amountSen: number
  /** The bank's transfer reference; empty if it has none. */
  reference: string
  description: string
  balanceSen: number | null
  /** The bank reverses an earlier line. */
  reversal: boolean
  raw: string
}

export type StatementProblemCode = (typeof statementProblems)[number]

/** Why a file cannot be read, with the line of the problem. */
export type StatementProblem = { code: StatementProblemCode; line: number; value?: string }

/** Most lines of a statement. */
export const mostStatementLines = 200_000

/** Longest line of a file, and longest multi-line field, in characters. */
export const longestStatementLine = 20_000

/** An older day was misread. */
export const oldestStatementDays = 3_660

/** Rp 10,000,000,000,000: above any transfer or balance. */
const mostSen = 1_000_000_000_000_000

/** Highest sum of all credits, or all debits, in a file or a day, so that sums stay exact integers. */
export const mostSumSen = 5 * mostSen

export type Signs = { decimal: ',' | '.'; thousands: '.' | ',' | ' ' | "'" | '' }

export type ReadAmount = { amountSen: number } | { problem: StatementProblemCode }

/**
 * Sen from a cell's text: `1.000.000,00`, `-Rp 5.000`, `(5000)`, `2,500.00 DB`, `1.250.000,-`, `31472518.3`. Groups of
 * thousands must be complete, so that swapped signs are detected instead of misread. More than two decimals are
 * accepted only if the rest are zeros and the number cannot be a group of thousands.
 */
export function readAmount(text: string, { decimal, thousands }: Signs): ReadAmount {
  if (text.length > 60) return { problem: 'statement_amount_unreadable' }
  let rest = text.normalize('NFKC').trim()
  let negative = false
  const marked = /^(.*?)\s*\b(CR|DB|DR|K|D|C)\.?$/i.exec(rest)
  if (marked?.[1] && marked[2]) {
    negative = /^(DB|DR|D)$/i.test(marked[2])
    rest = marked[1]
  }
  const inBrackets = /^\((.*)\)$/.exec(rest)?.[1]
  if (inBrackets !== undefined) {
    negative = true
    rest = inBrackets.trim()
  }
  rest = rest.replace(/^([+-]?)\s*(?:Rp|IDR)\.?\s*/i, '$1')
  // `,-` stands for zero sen.
  const dashed = /^(.*\d)([.,])[-–—]{1,2}$/.exec(rest)
  if (dashed?.[1] && dashed[2] === decimal) rest = dashed[1]
  const sign = /^([+-])\s*(.*)$/.exec(rest) ?? /^(.*?)\s*([+-])$/.exec(rest)
  if (sign) {
    const [, a = '', b = ''] = sign
    const [mark, digits] = a === '+' || a === '-' ? [a, b] : [b, a]
    if (mark === '-') negative = !negative
    rest = digits.trim()
  }
  const [whole = '', fraction = '', ...more] = rest.split(decimal)
  if (more.length > 0 || !/^\d{0,2}$|^\d{2}0{2,8}$/.test(fraction)) return { problem: 'statement_amount_unreadable' }
  const groups = thousands ? whole.split(thousands) : [whole]
  const regular =
    groups.every((group) => /^\d+$/.test(group)) &&
    (groups.length === 1 || (groups[0]!.length <= 3 && groups.slice(1).every((group) => group.length === 3)))
  if (!regular) return { problem: 'statement_amount_unreadable' }
  const amountSen = Number(groups.join('') + fraction.slice(0, 2).padEnd(2, '0'))
  if (amountSen > mostSen) return { problem: 'statement_amount_too_large' }
  return { amountSen: negative && amountSen > 0 ? -amountSen : amountSen }
}

export type DateFormat = (typeof dateFormats)[number]

/** Names of each month in statements, January first. */
export const monthNames = [
  'januari january',
  'februari february pebruari',
  'maret march mrt',
  'april',
  'mei may',
  'juni june',
  'juli july',
  'agustus august agt ags agst',
  'september sept',
  'oktober october',
  'november nopember',
  'desember december',
].map((names) => names.split(' '))

/** 1 to 12 for a month's name in either language, complete or cut to three letters or more; 0 for any other word. */
function monthOf(name: string): number {
  const word = name.toLowerCase().replace(/\.$/, '')
  return word.length < 3 ? 0 : monthNames.findIndex((names) => names.some((one) => one.startsWith(word))) + 1
}

const patterns = new Map(
  dateFormats.map((format) => [
    format,
    new RegExp(
      `^${format
        .replace(/[./]/g, '\\$&')
        .replace('mmm', '(?<name>[A-Za-z]{3,9}\\.?)')
        .replace('yyyy', '(?<year>\\d{4})')
        .replace('yy', '(?<short>\\d{2})')
        .replace('mm', format === 'yyyymmdd' ? '(?<month>\\d{2})' : '(?<month>\\d{1,2})')
        .replace('dd', format === 'yyyymmdd' ? '(?<day>\\d{2})' : '(?<day>\\d{1,2})')}(?:[T ]+\\d.*)?$`,
    ),
  ]),
)

/** First and last day of a statement. */
export type Period = { from: string; to: string }

/** A period with every calendar day, for checking only the format of days without a year. */
export const leapYear: Period = { from: '2000-01-01', to: '2000-12-31' }

export const isWithoutYear = (format: DateFormat) => !format.includes('yy')

/**
 * `2026-11-20` from a cell in a format, ignoring a time after it; null if it is not a day. Days without a year take
 * theirs from the period.
 */
export function readDay(text: string, format: DateFormat, period?: Period): string | null {
  const found = mustGet(patterns, format).exec(text.trim().replace(/^'/, '').slice(0, 60))?.groups
  if (!found) return null
  const month = found.name ? monthOf(found.name) : Number(found.month)
  if (!found.year && !found.short) return period ? dayInPeriod(month, Number(found.day), period) : null
  const year = found.year ? Number(found.year) : 2000 + Number(found.short)
  return dayOf(year, month, Number(found.day))
}

/** The only such day in a period; null if there is none or several. */
function dayInPeriod(month: number, day: number, { from, to }: Period): string | null {
  const years = [Number(from.slice(0, 4)), Number(to.slice(0, 4))]
  const days = [...new Set(years)].flatMap((year) => dayOf(year, month, day) ?? [])
  const [found, ...more] = days.filter((one) => one >= from && one <= to)
  return found && more.length === 0 ? found : null
}

const wholeDay = /\d{1,4}[-/. ](?:\d{1,2}|[a-z]{3,9}\.?)[-/. ]\d{2,4}/gi

/** Period stated in a row, as two days or a month: `Periode : 01/12/2026 - 31/12/2026`, `PERIODE: DESEMBER 2026`. */
export function periodIn(cells: readonly string[]): Period | undefined {
  const [, text] = /\bperiod[eo]?\b(.*)/i.exec(cells.join(' ').slice(0, 500)) ?? []
  if (!text) return undefined
  const [from, to] = [...text.matchAll(wholeDay)].flatMap(
    ([day]) => dateFormats.map((format) => readDay(day, format)).find((one) => one !== null) ?? [],
  )
  if (from && to) return from <= to ? { from, to } : undefined
  const [, name = '', year = ''] = /([a-z]{3,9})\.?\s+(\d{4})\b/i.exec(text) ?? []
  const month = monthOf(name)
  const first = month > 0 ? dayOf(Number(year), month, 1) : null
  return first ? { from: first, to: new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10) } : undefined
}

/** The day as text; null if the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  if (year < 1900) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return date.toISOString().slice(0, 10)
}

/**
 * Collapses spaces and drops signs that nobody sees, so that the identity of a line does not depend on a bank's padding and
 * no sign turns the digits beside it around.
 */
export const tidy = (text: string, longest: number) =>
  cleanLine(text.replace(/[\p{Cc}\s]+/gu, ' '))
    .slice(0, longest)
    .trim()

/** Identity of a line within its account, apart from its position among equal lines. */
export const identityOf = ({
  day,
  amountSen,
  reference,
  description,
}: Pick<StatementLine, 'day' | 'amountSen' | 'reference' | 'description'>) =>
  JSON.stringify([day, amountSen, reference, description])

/** Words of a text that may be numbers of our bills; banks write them in either case. */
export const billNumbersIn = (...texts: string[]): string[] => [
  ...new Set(
    texts
      .join(' ')
      .toUpperCase()
      .match(/[A-Z0-9][A-Z0-9/.-]{4,}[A-Z0-9]/g) ?? [],
  ),
]

/**
 * All runs of digits and letters in a text that may be a bank reference, and all numbers that may be our transfer
 * numbers.
 */
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
