import { Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { listStatementLines, type StatementLineRow } from '#domain/payments/reconciliation-endpoints.ts'
import { statementStates } from '#domain/payments/statement-lines.ts'
import { rupiahOfSen } from '#locales/format.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { SenMoney } from '#web/ui/money.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { LineDetails } from './line-details.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { useAccounts } from './use-accounts.ts'
import { lineTone, useReconciliationWords } from './words.ts'

/** Every line of every statement. */
export default function LinesPage() {
  const { t } = useReconciliationWords()
  const { choices } = useAccounts()
  const [open, setOpen] = useState<StatementLineRow | null>(null)
  return (
    <>
      <ListPage<StatementLineRow>
        name="statement-lines"
        title={useScreenTitle()}
        endpoint={listStatementLines}
        defaultSort="-day"
        searchLabel={t('lines.search')}
        summary={<SectionTabs shown="lines" />}
        columns={[
          {
            key: 'description',
            label: t('column.description'),
            cell: (row) => row.description || row.reference || rupiahOfSen(row.amountSen),
          },
          { key: 'day', label: t('column.day'), cell: (row) => <DateText value={row.day} as="short" />, sort: true },
          {
            key: 'amount',
            label: t('column.amount'),
            cell: (row) => <SenMoney amountSen={row.amountSen} />,
            numeric: true,
            sort: true,
          },
          {
            key: 'state',
            label: t('column.state'),
            cell: (row) => (
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
          },
          { key: 'reference', label: t('column.reference'), cell: (row) => row.reference || '—', hidden: true },
          { key: 'account', label: t('column.accountName'), cell: (row) => row.accountName, hidden: true },
          { key: 'applicant', label: t('column.applicantName'), cell: (row) => row.payment?.applicantName ?? '—' },
        ]}
        filters={[
          {
            key: 'state',
            label: t('column.state'),
            kind: 'choice',
            quick: true,
            choices: statementStates.map((value) => ({ value, label: t(`lineState.${value}`) })),
          },
          {
            key: 'direction',
            label: t('column.direction'),
            kind: 'choice',
            choices: (['in', 'out'] as const).map((value) => ({ value, label: t(`direction.${value}`) })),
          },
          { key: 'bankAccountId', label: t('column.accountName'), kind: 'choice', choices },
          { key: 'from', label: t('column.from'), kind: 'date' },
          { key: 'to', label: t('column.to'), kind: 'date' },
          {
            key: 'importId',
            label: t('column.importId'),
            kind: 'custom',
            control: () => null,
            chip: () => t('column.importId'),
          },
        ]}
        exportPath="/statement-lines/export"
        rowId={({ id }) => id}
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
