import { Text } from '@mantine/core'
import { useState } from 'react'
import { approvalStatuses } from '#domain/payments/approvals/approvals.ts'
import type { ApprovalRow } from '#domain/payments/approvals/endpoints.ts'
import { listApprovals } from '#domain/payments/approvals/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { ApprovalDetails } from './approval-details.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'
import { useApproveAction } from './approve-many-dialog.tsx'
import { approvalTone, useApprovalWords } from './words.ts'

/** Requests of other users that wait for a decision. */
export default function ApprovalsPage() {
  const { t } = useApprovalWords()
  const [open, setOpen] = useState<ApprovalRow | null>(null)
  return (
    <>
      <DataList
        list={listApprovals}
        title={useScreenTitle()}
        searchLabel={t('approval.search')}
        cells={{
          status: (row) => <StatusDot tone={approvalTone(row.status)} label={t(`status.${row.status}`)} />,
        }}
        controls={{
          status: {
            kind: 'choice',
            choices: approvalStatuses.slice(0, 3).map((value) => ({ value, label: t(`status.${value}`) })),
          },
        }}
        rowActions={[useApproveAction()]}
        rowTitle={(row) => [row.applicant, t(`kind.${row.kind}`)].filter(Boolean).join(' · ')}
        onOpen={setOpen}
        preview={(row) => <ApprovalDetails row={row} />}
        dimmed={({ status }) => status !== 'pending'}
        empty={{ title: t('approval.empty'), text: <Text c="dimmed">{t('approval.emptyText')}</Text> }}
      />
      {open && <ApprovalDialog row={open} onClose={() => setOpen(null)} />}
    </>
  )
}
