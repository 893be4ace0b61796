import type { Fields } from '#domain/payments/approvals/compare-fields.ts'
import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'

/** Values of a university account that another account has to approve. */
export type BankAccountValues = {
  name: string
  bank: string
  number: string
  holder: string
  takesTransfers: boolean
  active: boolean
  sources: readonly string[]
  mapping: StatementMapping | null
}

/** The values of an account one by one, to show a change field by field. */
export const fieldsOfBankAccount = ({ mapping, sources, ...values }: BankAccountValues): Fields => ({
  name: values.name,
  bank: values.bank,
  number: values.number,
  holder: values.holder,
  sources: sources.toSorted(),
  takesTransfers: values.takesTransfers,
  active: values.active,
  ...(mapping && fieldsOfMapping(mapping)),
})

/** Columns are counted from one and named with the file's heading: `5 · Kredit`. */
function fieldsOfMapping({ amount, header, ...mapping }: StatementMapping): Fields {
  const nameOf = (at: number) => [String(at + 1), header[at]].filter(Boolean).join(' · ')
  const column = (at: number | null) => (at === null ? null : nameOf(at))
  return {
    // Requests older than the choice of encoding have none, which means `auto`.
    'mapping.encoding': mapping.encoding === 'auto' ? null : (mapping.encoding ?? null),
    'mapping.delimiter': mapping.delimiter,
    'mapping.headerLine': mapping.headerLine,
    'mapping.date': column(mapping.date),
    'mapping.dateFormat': mapping.dateFormat,
    'mapping.description': mapping.description.map(nameOf).join(', '),
    'mapping.reference': column(mapping.reference),
    'mapping.kind': amount.kind,
    ...(amount.kind === 'two'
      ? { 'mapping.credit': column(amount.credit), 'mapping.debit': column(amount.debit) }
      : { 'mapping.amount': column(amount.column) }),
    ...(amount.kind === 'marked' && {
      'mapping.mark': column(amount.mark),
      'mapping.creditMark': amount.creditMark,
      'mapping.debitMark': amount.debitMark,
    }),
    'mapping.balance': column(mapping.balance),
    'mapping.decimal': mapping.decimal,
    'mapping.thousands': mapping.thousands,
    'mapping.skip': mapping.skip,
  }
}
