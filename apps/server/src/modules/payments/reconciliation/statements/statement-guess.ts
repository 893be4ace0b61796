import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import { dateFormats } from '#domain/payments/reconciliation/statement-lines.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import type { CsvRow } from './csv-records.ts'
import {
  type DateFormat,
  leapYear,
  type Period,
  periodIn,
  readAmount,
  readDay,
  type Signs,
} from './statement-values.ts'

const delimiters = [',', ';', '\t', '|'] as const

/**
 * The delimiter that splits most lines of the whole file into the same number of cells; on a tie, the one that gives
 * more cells. Delimiters in quotes do not count.
 */
export function guessDelimiter(text: string): (typeof delimiters)[number] {
  const tallies = delimiters.map((delimiter) => ({ delimiter, count: 0, lines: new Map<number, number>() }))
  const tallyOf = new Map(tallies.map((tally) => [tally.delimiter.charCodeAt(0), tally]))
  let quoted = false
  let filled = false
  const endLine = () => {
    for (const tally of tallies) {
      const { count, lines } = tally
      if (filled && count > 0) lines.set(count, (lines.get(count) ?? 0) + 1)
      tally.count = 0
    }
    filled = false
    quoted = false
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) endLine()
    else {
      filled = true
      if (code === 34) quoted = !quoted
      else if (!quoted) {
        const tally = tallyOf.get(code)
        if (tally) tally.count += 1
      }
    }
  }
  endLine()
  const order = tallies
    .map(({ delimiter, lines: tally }) =>
      [...tally].reduce((most, [count, lines]) => (lines > most.lines ? { delimiter, count, lines } : most), {
        delimiter,
        count: 0,
        lines: 0,
      }),
    )
    .toSorted((one, other) => {
      // An extra heading or a total at the end must not decide between two delimiters.
      const alike = Math.abs(one.lines - other.lines) <= Math.max(2, 0.02 * Math.max(one.lines, other.lines))
      return alike ? other.count - one.count : other.lines - one.lines
    })
  return order[0]!.delimiter
}

const headings = {
  date: /^(tanggal|tgl|date|posting date|post date|transaction date|trans(aksi)? date|value date)/i,
  description: /^(keterangan|uraian|deskripsi|description|remark|berita|detail|narasi|transaksi$)/i,
  reference: /^(ref|no\.? ?ref|referensi|reference|no\.? ?(bukti|jurnal|arsip)|journal)/i,
  credit: /^(kredit|credit|masuk|cr\b|dana masuk|mutasi kredit)/i,
  debit: /^(debet|debit|keluar|db\b|dana keluar|mutasi debet|mutasi debit)/i,
  amount: /^(jumlah|nominal|amount|mutasi|nilai)/i,
  balance: /^(saldo|balance|running balance)/i,
  mark: /^(d ?\/? ?[ck]\b|db ?\/? ?cr|cr ?\/? ?db|deb[ei]t ?[/ ] ?[ck]r|[ck]redit ?[/ ] ?deb|jenis|type|tipe)/i,
}

/** A heading as the patterns expect it; some banks write underscores for spaces. */
const wordsOf = (cell: string) => cell.replaceAll('_', ' ').trim()

const markWords = {
  credit: /^(c|cr|k|kr|kredit|credit|masuk|in)\b/i,
  debit: /^(d|db|dr|debet|debit|keluar|out)\b/i,
}

const signChoices: Signs[] = [
  { decimal: ',', thousands: '.' },
  { decimal: '.', thousands: ',' },
  { decimal: '.', thousands: '' },
  { decimal: ',', thousands: '' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: ' ' },
  { decimal: '.', thousands: "'" },
]

/** Rows at the start of the file in which headings are searched. */
const headRows = 50

/**
 * A first guess of a file's mapping, from all of its rows, for staff to check. `rows` starts from the beginning on each
 * call.
 */
export function guessMapping(rows: () => Iterable<CsvRow>, delimiter: StatementMapping['delimiter']): MappingDraft {
  const patterns = Object.values(headings)
  let header: CsvRow | null = null
  let most = 1
  let seen = 0
  for (const row of rows()) {
    const hits = row.cells.filter((cell) => patterns.some((pattern) => pattern.test(wordsOf(cell)))).length
    if (hits > most) [header, most] = [row, hits]
    if (++seen >= headRows) break
  }
  const at = (pattern: RegExp, not: readonly (number | null)[] = []) => {
    const found = header?.cells.findIndex((cell, column) => !not.includes(column) && pattern.test(wordsOf(cell))) ?? -1
    return found < 0 ? null : found
  }
  // `Db/Cr` also matches the pattern for debits, so marks are found first.
  const named = at(headings.mark)
  const [credit, debit] = [at(headings.credit, [named]), at(headings.debit, [named])]
  const balance = at(headings.balance)
  const mark = named ?? (header && markWithoutHeading(rows(), header))
  const amount = at(headings.amount, [credit, debit, balance, mark])
  const description = at(headings.description)
  const two = credit !== null && debit !== null && credit !== debit
  const numbers = [...(two ? [credit, debit] : amount === null ? [] : [amount]), ...(balance === null ? [] : [balance])]
  const counted = countForms(rows(), header, at(headings.date), numbers, mark)
  const marks = counted.marks
  const marked = !two && mark !== null && marks !== null
  return {
    encoding: 'auto',
    delimiter,
    headerLine: header?.number ?? 0,
    date: counted.date,
    dateFormat: counted.dateFormat,
    description: description === null ? [] : [description],
    reference: at(headings.reference),
    kind: two ? 'two' : marked ? 'marked' : 'signed',
    amount,
    credit,
    debit,
    mark: marked ? mark : null,
    creditMark: marks?.credit ?? 'CR',
    debitMark: marks?.debit ?? 'DB',
    balance,
    ...counted.signs,
    skip: ['Total', 'Saldo', 'Jumlah', 'Mutasi'],
  }
}

/** The first column without a heading in which every filled cell says credit or debit, as KlikBCA writes it. */
function markWithoutHeading(rows: Iterable<CsvRow>, header: CsvRow): number | null {
  const candidates = new Set(header.cells.flatMap((cell, column) => (cell.trim() === '' ? [column] : [])))
  const marked = new Set<number>()
  for (const { number, cells } of rows) {
    if (candidates.size === 0 || number > header.number + headRows) break
    // Totals at the end have fewer cells.
    if (number <= header.number || cells.length < header.cells.length) continue
    for (const column of candidates) {
      const word = cells[column]!.trim()
      if (markWords.credit.test(word) || markWords.debit.test(word)) marked.add(column)
      else if (word !== '') candidates.delete(column)
    }
  }
  return [...candidates].find((column) => marked.has(column)) ?? null
}

type Counted = {
  date: number | null
  dateFormat: DateFormat
  signs: Signs
  marks: { credit: string; debit: string } | null
}

/**
 * Tries every format of days and numbers on every row and takes those that read most, also for columns without
 * headings.
 */
function countForms(
  rows: Iterable<CsvRow>,
  header: CsvRow | null,
  dateColumn: number | null,
  numbers: readonly number[],
  mark: number | null,
): Counted {
  /** For each column and format: days read, and how often a day was after or before the previous one. */
  const days = new Map<
    string,
    { read: number; down: number; up: number; last: string; column: number; format: DateFormat }
  >()
  const choices = signChoices.map((signs) => ({ signs, read: 0 }))
  const marks = new Map<string, number>()
  let period: Period | undefined
  for (const { number, cells } of rows) {
    if (number <= (header?.number ?? 0)) {
      period ??= periodIn(cells)
      continue
    }
    const columns = dateColumn === null ? cells.slice(0, 10).keys() : [dateColumn]
    for (const column of columns) {
      const cell = cells[column] ?? ''
      if (!/\d/.test(cell)) continue
      for (const format of dateFormats) {
        const day = readDay(cell, format, period ?? leapYear)
        if (!day) continue
        const key = `${column} ${format}`
        const counts = days.get(key) ?? { read: 0, down: 0, up: 0, last: day, column, format }
        counts.read += 1
        if (day > counts.last) counts.up += 1
        if (day < counts.last) counts.down += 1
        counts.last = day
        days.set(key, counts)
      }
    }
    for (const column of numbers.length > 0 ? numbers : cells.slice(0, 20).keys()) {
      const cell = cells[column] ?? ''
      // Without headings, only unmistakable amounts count.
      if (numbers.length === 0 && !/^\W*\d[\d.,' ]*[.,]\d{2}\b/.test(cell)) continue
      if (!/\d/.test(cell)) continue
      for (const choice of choices) if ('amountSen' in readAmount(cell, choice.signs)) choice.read += 1
    }
    if (mark !== null) {
      const word = (cells[mark] ?? '').trim().slice(0, 20)
      if (word && (marks.size < 5 || marks.has(word))) marks.set(word, (marks.get(word) ?? 0) + 1)
    }
  }
  // With the right format the days go in one direction; a month read as a day jumps back and forth.
  const best = [...days.values()].reduce<{
    read: number
    down: number
    up: number
    column: number
    format: DateFormat
  } | null>(
    (found, one) =>
      !found ||
      one.read > found.read ||
      (one.read === found.read && Math.min(one.up, one.down) < Math.min(found.up, found.down))
        ? one
        : found,
    null,
  )
  const found = [...marks.keys()]
  const ofCredit = found.find((word) => markWords.credit.test(word))
  const ofDebit = found.find((word) => markWords.debit.test(word))
  return {
    date: dateColumn ?? best?.column ?? null,
    dateFormat: best?.format ?? 'dd/mm/yyyy',
    signs: choices.reduce((most, choice) => (choice.read > most.read ? choice : most)).signs,
    marks: ofCredit || ofDebit ? { credit: ofCredit ?? 'CR', debit: ofDebit ?? 'DB' } : null,
  }
}
