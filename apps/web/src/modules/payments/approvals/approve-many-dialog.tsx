import { useQueryClient } from '@tanstack/react-query'
import { kindsWithoutSum } from '#domain/payments/approvals/approvals.ts'
import { type ApprovalRow, approveMany } from '#domain/payments/approvals/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { useSend } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/bulk-dialog.tsx'
import { useApprovalWords } from './words.ts'

type Props = { rows: readonly ApprovalRow[]; onDone: () => void; onClose: () => void }

/** Approves the chosen requests of the kind of the first; says which are left and why. */
export function ApproveManyDialog({ rows, onDone, onClose }: Props) {
  const { t } = useApprovalWords()
  const queries = useQueryClient()
  const send = useSend(approveMany)
  const kind = rows[0]?.kind
  const whyLeft = (row: ApprovalRow) => {
    if (row.whyNot) return t(`whyNot.${row.whyNot}`)
    if (kindsWithoutSum.includes(row.kind)) return t('approval.many.apart')
    return row.kind === kind ? null : t('approval.many.oneKind')
  }
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
      button={() => t('approval.approve')}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
