import { useQueryClient } from '@tanstack/react-query'
import { kindsWithoutSum } from '#domain/payments/approvals/approvals.ts'
import { type ApprovalRow, approveMany } from '#domain/payments/approvals/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { useApprovalWords } from './words.ts'

type Props = {
  action: RowAction<ApprovalRow>
  rows: readonly ApprovalRow[]
} & DialogEnds

/** Approves the selected requests without showing their details. */
export function useApproveAction() {
  const { t } = useApprovalWords()
  const action: RowAction<ApprovalRow> = {
    key: 'approve',
    label: t('approval.approve'),
    right: approveMany.access,
    many: true,
    suits: ({ status }) => status === 'pending',
    refusal: ({ whyNot, kind }) => {
      if (whyNot) return t(`whyNot.${whyNot}`)
      return kindsWithoutSum.includes(kind) ? t('approval.many.apart') : null
    },
    dialog: (rows, dialogEnds) => <ApproveManyDialog action={action} rows={rows} {...dialogEnds} />,
  }
  return action
}

/** Approves selected requests of the same kind as the first one; lists skipped requests with the reason. */
function ApproveManyDialog({ action, rows, ...dialogEnds }: Props) {
  const { t } = useApprovalWords()
  const queries = useQueryClient()
  const kind = rows[0]?.kind
  const skipReasonOf = (row: ApprovalRow) =>
    action.refusal?.(row) ?? (row.kind === kind ? null : t('approval.many.oneKind'))
  const titleOf = (row: ApprovalRow) =>
    [row.amount !== null && rupiah(row.amount), row.applicantName ?? t(`kind.${row.kind}`)].filter(Boolean).join(' · ')
  const allowedRows = rows.filter((row) => skipReasonOf(row) === null)
  return (
    <BulkDialog
      title={t('approval.many.title')}
      preview={async () => ({
        allowed: allowedRows.map((row) => ({ id: row.id, title: titleOf(row) })),
        refused: rows.flatMap((row) => {
          const skipReason = skipReasonOf(row)
          return skipReason ? [{ id: row.id, title: titleOf(row), reason: skipReason }] : []
        }),
      })}
      will={(count) =>
        t('approval.many.will', { count, amount: rupiah(allowedRows.reduce((sum, row) => sum + (row.amount ?? 0), 0)) })
      }
      run={async (ids) => {
        const { data } = await sendOnce(approveMany, { body: { ids } })
        void queries.invalidateQueries()
        const [firstRefusal] = data.refused
        return firstRefusal
          ? {
              message: t('approval.many.left', {
                done: data.done.length,
                left: data.refused.length,
                reason: firstRefusal.reason,
              }),
              partly: true,
            }
          : { message: t('approval.many.done', { count: data.done.length }) }
      }}
      button={() => action.label}
      {...dialogEnds}
    />
  )
}
