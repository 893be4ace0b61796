import { type StatementMapping, statementMapping } from '#domain/payments/statement-csv.ts'

/** A mapping while somebody makes it: columns may still be missing. */
export type MappingDraft = Pick<
  StatementMapping,
  'delimiter' | 'headerLine' | 'dateFormat' | 'description' | 'reference' | 'balance' | 'decimal' | 'thousands' | 'skip'
> & {
  date: number | null
  kind: StatementMapping['amount']['kind']
  amount: number | null
  credit: number | null
  debit: number | null
  mark: number | null
  creditMark: string
  debitMark: string
}

type Row = { number: number; cells: readonly string[] }

export const draftOf = ({ amount: how, header: _header, ...rest }: StatementMapping): MappingDraft => ({
  ...rest,
  kind: how.kind,
  amount: how.kind === 'two' ? null : how.column,
  credit: how.kind === 'two' ? how.credit : null,
  debit: how.kind === 'two' ? how.debit : null,
  mark: how.kind === 'marked' ? how.mark : null,
  creditMark: how.kind === 'marked' ? how.creditMark : 'CR',
  debitMark: how.kind === 'marked' ? how.debitMark : 'DB',
})

const named = {
  date: /^(tanggal|tgl|date|posting date|transaction date)/i,
  description: /^(keterangan|uraian|deskripsi|description|remark|berita|detail)/i,
  reference: /^(ref|no\.? ?ref|referensi|reference)/i,
  credit: /^(kredit|credit|masuk|cr\b)/i,
  debit: /^(debet|debit|keluar|db\b)/i,
  amount: /^(jumlah|nominal|amount|mutasi)/i,
  balance: /^(saldo|balance)/i,
}

/** A first guess from the headings of a file, for somebody to look over. */
export function guessMapping(rows: readonly Row[], delimiter: StatementMapping['delimiter']): MappingDraft {
  const known = Object.values(named)
  const hits = (row: Row) => row.cells.filter((cell) => known.some((pattern) => pattern.test(cell.trim()))).length
  const best = rows.reduce<Row | null>(
    (most, row) => (hits(row) > Math.max(1, most ? hits(most) : 0) ? row : most),
    null,
  )
  const at = (pattern: RegExp) => {
    const found = best?.cells.findIndex((cell) => pattern.test(cell.trim())) ?? -1
    return found < 0 ? null : found
  }
  const [credit, debit, amount] = [at(named.credit), at(named.debit), at(named.amount)]
  const description = at(named.description)
  const sample = rows.filter(({ number }) => number > (best?.number ?? 0)).flatMap(({ cells }) => cells)
  const english = sample.some((cell) => /^\W*\d{1,3}(,\d{3})+(\.\d{2})?\b/.test(cell.trim()))
  return {
    delimiter,
    headerLine: best?.number ?? 0,
    date: at(named.date),
    dateFormat: sample.some((cell) => /^\d{4}-\d{2}-\d{2}/.test(cell)) ? 'yyyy-mm-dd' : 'dd/mm/yyyy',
    description: description === null ? [] : [description],
    reference: at(named.reference),
    kind: credit !== null && debit !== null ? 'two' : 'signed',
    amount,
    credit,
    debit,
    mark: null,
    creditMark: 'CR',
    debitMark: 'DB',
    balance: at(named.balance),
    decimal: english ? '.' : ',',
    thousands: english ? ',' : '.',
    skip: ['Total', 'Saldo'],
  }
}

/** The finished mapping with the headings as they are now, written as the server writes it; null while something is missing. */
export function mappingFrom(draft: MappingDraft, rows: readonly Row[]): StatementMapping | null {
  const { date, kind, amount, credit, debit, mark, creditMark, debitMark, ...rest } = draft
  if (date === null || rest.description.length === 0 || rest.decimal === rest.thousands) return null
  const header = rows.find(({ number }) => number === rest.headerLine)?.cells ?? []
  const how = (): StatementMapping['amount'] | null => {
    if (kind === 'two') return credit !== null && debit !== null ? { kind, credit, debit } : null
    if (amount === null) return null
    if (kind === 'signed') return { kind, column: amount }
    const marks = { creditMark: creditMark.trim(), debitMark: debitMark.trim() }
    return mark !== null && marks.creditMark && marks.debitMark ? { kind, column: amount, mark, ...marks } : null
  }
  const made = how()
  const mapping = made && { ...rest, header: header.map((cell) => cell.slice(0, 200)), date, amount: made }
  return statementMapping.safeParse(mapping).data ?? null
}
