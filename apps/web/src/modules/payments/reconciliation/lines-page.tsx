import { Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { StatementLineRow } from '#domain/payments/reconciliation/endpoints.ts'
import { listStatementLines } from '#domain/payments/reconciliation/lists.ts'
import { rupiahOfSen } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { LineDetails } from './line-details.tsx'
import { ReconciliationTabs } from './reconciliation-tabs.tsx'
import { useAccounts } from './use-accounts.ts'
import { lineTone, useReconciliationWords } from './words.ts'

/** Lines of all statements. */
export default function LinesPage() {
  const { t } = useReconciliationWords()
  const { choices } = useAccounts()
  const [open, setOpen] = useState<StatementLineRow | null>(null)
  return (
    <>
      <DataList
        list={listStatementLines}
        title={useScreenTitle()}
        searchLabel={t('lines.search')}
        lead={<ReconciliationTabs tab="lines" />}
        cells={{
          description: (row) => row.description || row.reference || rupiahOfSen(row.amountSen),
          state: (row) => (
            <StatusDot
              tone={row.state === 'new' && row.amountSen < 0 ? 'waiting' : lineTone(row.state)}
              label={
                row.pending
                  ? t('record.waits')
                  : row.explanation
                    ? t(`explanation.${row.explanation}`)
                    : t(`lineState.${row.state}`)
              }
            />
          ),
          applicantName: (row) => row.payment?.applicantName ?? '—',
        }}
        controls={{
          bankAccountId: { kind: 'choice', choices },
          importId: { kind: 'custom', control: () => null, chip: () => t('column.importId') },
        }}
        rowTitle={(row) => `${rupiahOfSen(row.amountSen)} · ${row.description || row.reference}`}
        onOpen={setOpen}
        preview={(row) => <LineDetails line={row} />}
        dimmed={({ state }) => state === 'explained' || state === 'same'}
        empty={{ title: t('lines.empty'), text: <Text c="dimmed">{t('lines.emptyText')}</Text> }}
      />
      {open && (
        <Modal
          opened
          onClose={() => setOpen(null)}
          size="lg"
          title={rupiahOfSen(open.amountSen)}
          closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        >
          <LineDetails line={open} />
        </Modal>
      )}
    </>
  )
}
