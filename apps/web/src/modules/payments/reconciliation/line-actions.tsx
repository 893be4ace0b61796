import { Anchor, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { StatementLineRow } from '#domain/payments/reconciliation/endpoints.ts'
import { useApprovalWords } from '#web/modules/payments/approvals/words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { ExplainDialog, MatchDialog, RecordDialog, ReopenDialog } from './line-dialogs.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { useReconciliationWords } from './words.ts'

const dialogs = {
  match: MatchDialog,
  record: RecordDialog,
  explain: ExplainDialog,
  release: ReleaseDialog,
  reopen: ReopenDialog,
}

/** Actions on a statement line; `paymentId` is the payment it probably is. */
export function LineActions({ line, paymentId }: { line: StatementLineRow; paymentId?: string | undefined }) {
  const { t } = useReconciliationWords()
  const { t: d } = useApprovalWords()
  const { may } = useSession()
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null)
  const update = may('rekonsiliasi-update')
  const isNew = line.state === 'new'
  const isPossible = {
    match: isNew && update && line.amountSen > 0,
    // A line that matches a payment in the books must not be booked again or explained away.
    record: isNew && !paymentId && may('pembayaran-mahasiswa-create') && line.amountSen > 0,
    explain: isNew && !paymentId && update,
    release: line.state === 'held' && update,
    reopen: !isNew && line.state !== 'held' && update && line.matchedBy !== 'recorded',
  }
  const Dialog = open && dialogs[open]
  if (line.pending)
    return (
      <Text size="sm">
        {t('record.asked', { name: line.pending.requestedBy.name })}{' '}
        {may('persetujuan-view') && (
          <Anchor component={Link} to="/persetujuan?status=pending&kind=statement_line" inherit underline="always">
            {d('pending.open')}
          </Anchor>
        )}
      </Text>
    )
  return (
    <>
      <Group gap="xs">
        {(Object.keys(dialogs) as (keyof typeof dialogs)[])
          .filter((action) => isPossible[action])
          .map((action) => (
            <Button key={action} variant="default" size="compact-md" onClick={() => setOpen(action)}>
              {t(`action.${action}`)}
            </Button>
          ))}
      </Group>
      {Dialog && <Dialog line={line} paymentId={paymentId} onClose={() => setOpen(null)} />}
    </>
  )
}
