import type { MappingDraft } from '#domain/payments/reconciliation/statement-draft.ts'
import { type StatementMapping, statementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'

type Row = { number: number; cells: readonly string[] }

export const draftOf = ({ amount: amountRule, header: _header, ...rest }: StatementMapping): MappingDraft => ({
  ...rest,
  kind: amountRule.kind,
  amount: amountRule.kind === 'two' ? null : amountRule.column,
  credit: amountRule.kind === 'two' ? amountRule.credit : null,
  debit: amountRule.kind === 'two' ? amountRule.debit : null,
  mark: amountRule.kind === 'marked' ? amountRule.mark : null,
  creditMark: amountRule.kind === 'marked' ? amountRule.creditMark : 'CR',
  debitMark: amountRule.kind === 'marked' ? amountRule.debitMark : 'DB',
})

/** The complete mapping with the current headings, as the server stores it; null while a column is missing. */
export function mappingFrom(draft: MappingDraft, rows: readonly Row[]): StatementMapping | null {
  const { date, kind, amount, credit, debit, mark, creditMark, debitMark, ...rest } = draft
  if (date === null || rest.description.length === 0 || rest.decimal === rest.thousands) return null
  const header = rows.find(({ number }) => number === rest.headerLine)?.cells ?? []
  const amountRuleOf = (): StatementMapping['amount'] | null => {
    if (kind === 'two') return credit !== null && debit !== null ? { kind, credit, debit } : null
    if (amount === null) return null
    if (kind === 'signed') return { kind, column: amount }
    const marks = { creditMark: creditMark.trim(), debitMark: debitMark.trim() }
    return mark !== null && marks.creditMark && marks.debitMark ? { kind, column: amount, mark, ...marks } : null
  }
  const amountRule = amountRuleOf()
  const mapping = amountRule && { ...rest, header: header.map((cell) => cell.slice(0, 200)), date, amount: amountRule }
  return statementMapping.safeParse(mapping).data ?? null
}
