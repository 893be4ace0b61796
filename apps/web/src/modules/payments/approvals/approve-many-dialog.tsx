import { useQueryClient } from '@tanstack/react-query'
import { kindsWithoutSum } from '#domain/payments/approvals/approvals.ts'
import { type ApprovalRow, approveMany } from '#domain/payments/approvals/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { useApprovalWords } from './words.ts'

type Props = {
  action: RowAction<ApprovalRow>
  rows: readonly ApprovalRow[]
} & DialogEnds

/** Approving a request without its details beside it. */
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
    dialog: (rows, ends) => <ApproveManyDialog action={action} rows={rows} {...ends} />,
  }
  return action
}

/** Approves the chosen requests of the kind of the first; says which are left and why. */
function ApproveManyDialog({ action, rows, ...ends }: Props) {
  const { t } = useApprovalWords()
  const queries = useQueryClient()
  const send = useSend(approveMany)
  const kind = rows[0]?.kind
  const whyLeft = (row: ApprovalRow) => action.refusal?.(row) ?? (row.kind === kind ? null : t('approval.many.oneKind'))
  const titleOf = (row: ApprovalRow) =>
    [row.amount !== null && rupiah(row.amount), row.applicantName ?? t(`kind.${row.kind}`)].filter(Boolean).join(' · ')
  const allowed = rows.filter((row) => whyLeft(row) === null)
  return (
    <BulkDialog
      title={t('approval.many.title')}
      preview={async () => ({
        allowed: allowed.map((row) => ({ id: row.id, title: titleOf(row) })),
        refused: rows.flatMap((row) => {
          const why = whyLeft(row)
          return why ? [{ id: row.id, title: titleOf(row), reason: why }] : []
        }),
      })}
      will={(count) =>
        t('approval.many.will', { count, amount: rupiah(allowed.reduce((sum, row) => sum + (row.amount ?? 0), 0)) })
      }
      run={async (ids) => {
        const { data } = await send({ body: { ids } })
        void queries.invalidateQueries()
        const [first] = data.refused
        return first
          ? {
              message: t('approval.many.left', {
                done: data.done.length,
                left: data.refused.length,
                reason: first.reason,
              }),
              partly: true,
            }
          : { message: t('approval.many.done', { count: data.done.length }) }
      }}
      button={() => action.label}
      {...ends}
    />
  )
}
