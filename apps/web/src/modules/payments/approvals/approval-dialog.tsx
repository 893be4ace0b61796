import { Modal } from '@mantine/core'
import type { ApprovalRow } from '#domain/payments/approvals/endpoints.ts'
import { ApprovalDetails } from './approval-details.tsx'
import { useApprovalWords } from './words.ts'

/** A request in a dialog, for screens without room beside the list. */
export function ApprovalDialog({ row, onClose }: { row: ApprovalRow; onClose: () => void }) {
  const { t } = useApprovalWords()
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={[row.applicantName ?? row.about, t(`kind.${row.kind}`)].filter(Boolean).join(' · ')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <ApprovalDetails row={row} onDone={onClose} />
    </Modal>
  )
}
