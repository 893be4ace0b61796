import { Text } from '@mantine/core'
import { useState } from 'react'
import { approvalKinds, approvalStatuses, kindsWithoutSum } from '#domain/payments/approvals.ts'
import { type ApprovalRow, listApprovals } from '#domain/payments/desk-endpoints.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Money } from '#web/ui/money.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { ApprovalDetails } from './approval-details.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'
import { ApproveManyDialog } from './approve-many-dialog.tsx'
import { approvalTone, useDeskWords } from './words.ts'

/** What others asked for and somebody has to decide. */
export default function ApprovalsPage() {
  const { t } = useDeskWords()
  const { may } = useSession()
  const [open, setOpen] = useState<ApprovalRow | null>(null)
  const [many, setMany] = useState<{ rows: ApprovalRow[]; done: () => void } | null>(null)
  return (
    <>
      <ListPage<ApprovalRow>
        name="persetujuan"
        title={useScreenTitle()}
        endpoint={listApprovals}
        defaultSort="-requestedAt"
        searchLabel={t('approval.search')}
        columns={[
          { key: 'applicant', label: t('approval.applicant'), cell: (row) => row.applicantName ?? row.about ?? '—' },
          { key: 'kind', label: t('approval.kind'), cell: (row) => t(`kind.${row.kind}`) },
          {
            key: 'amount',
            label: t('approval.amount'),
            cell: (row) => (kindsWithoutSum.includes(row.kind) ? '—' : <Money amount={row.amount} />),
            numeric: true,
            sort: true,
          },
          {
            key: 'status',
            label: t('approval.status'),
            cell: (row) => <StatusDot tone={approvalTone(row.status)} label={t(`status.${row.status}`)} />,
          },
          { key: 'askedBy', label: t('approval.askedBy'), cell: (row) => row.requestedBy.name },
          {
            key: 'requestedAt',
            label: t('approval.askedAt'),
            cell: (row) => <DateText value={row.requestedAt} as="short" />,
            sort: true,
          },
          { key: 'bill', label: t('approval.bill'), cell: (row) => row.billNumber ?? '—', hidden: true },
          { key: 'reason', label: t('approval.reason'), cell: (row) => row.reason, hidden: true },
        ]}
        filters={[
          {
            key: 'status',
            label: t('approval.status'),
            kind: 'choice',
            quick: true,
            choices: approvalStatuses.slice(0, 3).map((value) => ({ value, label: t(`status.${value}`) })),
          },
          {
            key: 'kind',
            label: t('approval.kind'),
            kind: 'choice',
            choices: approvalKinds.map((value) => ({ value, label: t(`kind.${value}`) })),
          },
          { key: 'from', label: t('payments:staff.from'), kind: 'date' },
          { key: 'to', label: t('payments:staff.to'), kind: 'date' },
        ]}
        bulk={
          may('persetujuan-update')
            ? [
                {
                  key: 'approve',
                  label: t('approval.approve'),
                  run: (rows, done) => setMany({ rows, done }),
                },
              ]
            : []
        }
        rowId={({ id }) => id}
        rowTitle={(row) => [row.applicantName ?? row.about, t(`kind.${row.kind}`)].filter(Boolean).join(' · ')}
        onOpen={setOpen}
        preview={(row) => <ApprovalDetails row={row} />}
        dimmed={({ status }) => status !== 'pending'}
        empty={{ title: t('approval.empty'), text: <Text c="dimmed">{t('approval.emptyText')}</Text> }}
      />
      {many && <ApproveManyDialog rows={many.rows} onDone={many.done} onClose={() => setMany(null)} />}
      {open && <ApprovalDialog row={open} onClose={() => setOpen(null)} />}
    </>
  )
}
