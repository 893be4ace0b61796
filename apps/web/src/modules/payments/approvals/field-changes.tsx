import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { FieldChange } from '#domain/payments/approvals/compare-fields.ts'
import { Facts } from '#web/ui/facts.tsx'
import { useFieldWords } from './field-words.ts'

/** Fields a request about settings changes, with values before and after. */
export function FieldChanges({ kind, changes }: { kind: ApprovalKind; changes: readonly FieldChange[] }) {
  const { labelOf, writeValue } = useFieldWords(kind)
  return (
    <Facts
      facts={changes.map(({ field, before, after }) => [
        labelOf(field),
        before === null || before === ''
          ? writeValue(field, after)
          : `${writeValue(field, before)} → ${writeValue(field, after)}`,
      ])}
    />
  )
}
