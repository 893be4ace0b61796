import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import { type StatementMapping, statementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'

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
