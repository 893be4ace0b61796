import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayStates, differenceKinds } from '#domain/payments/reconciliation.ts'
import {
  type DayRow,
  type DifferenceRow,
  listDays,
  listDifferences,
} from '#domain/payments/reconciliation-endpoints.ts'
import { useSession } from '#web/app/session.tsx'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Money, SenMoney } from '#web/ui/money.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { ComputeDialog } from './compute-dialog.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { useAccounts } from './use-accounts.ts'
import { dayTone, useReconciliationWords } from './words.ts'

const none = '—'

/** Days and what still differs on them. */
export default function ReconciliationPage() {
  const [search] = useSearchParams()
  return search.get('show') === 'differences' ? <Differences /> : <Days />
}

function Days() {
  const { t } = useReconciliationWords()
  const { may } = useSession()
  const { choices } = useAccounts()
  const [computing, setComputing] = useState(false)
  return (
    <>
      <ListPage<DayRow>
        name="rekonsiliasi"
        title={useScreenTitle()}
        endpoint={listDays}
        defaultSort="-day"
        searchLabel={t('days.search')}
        summary={<SectionTabs shown="days" />}
        actions={may('rekonsiliasi-update') && <Button onClick={() => setComputing(true)}>{t('days.compute')}</Button>}
        columns={[
          { key: 'day', label: t('column.day'), cell: (row) => <DateText value={row.day} as="short" />, sort: true },
          { key: 'account', label: t('column.accountName'), cell: (row) => row.accountName },
          {
            key: 'state',
            label: t('column.state'),
            cell: (row) => (
              <StatusDot
                tone={dayTone(row.state)}
                label={
                  row.state === 'open' ? t('openCount', { count: row.openDifferences }) : t(`dayState.${row.state}`)
                }
              />
            ),
          },
          {
            key: 'ledger',
            label: t('column.ledgerTotal'),
            cell: (row) => <Money amount={row.ledgerTotal} />,
            numeric: true,
          },
          {
            key: 'reported',
            label: t('column.reportedTotal'),
            cell: (row) => <Money amount={row.reportedTotal} />,
            numeric: true,
          },
          {
            key: 'statement',
            label: t('column.statementTotal'),
            cell: (row) => (row.hasStatement ? <SenMoney amountSen={row.statementTotalSen} /> : none),
            numeric: true,
          },
          {
            key: 'explained',
            label: t('column.explainedTotal'),
            cell: (row) => <SenMoney amountSen={row.explainedTotalSen} />,
            numeric: true,
            hidden: true,
          },
        ]}
        filters={[
          {
            key: 'state',
            label: t('column.state'),
            kind: 'choice',
            quick: true,
            choices: dayStates.map((value) => ({ value, label: t(`dayState.${value}`) })),
          },
          { key: 'bankAccountId', label: t('column.accountName'), kind: 'choice', choices },
          { key: 'from', label: t('column.from'), kind: 'date' },
          { key: 'to', label: t('column.to'), kind: 'date' },
        ]}
        exportPath="/rekonsiliasi/export"
        rowId={({ id }) => id}
        rowTitle={(row) => `${row.day} · ${row.accountName}`}
        href={({ id }) => `/rekonsiliasi/${id}`}
        empty={{ title: t('days.empty'), text: <Text c="dimmed">{t('days.emptyText')}</Text> }}
      />
      {computing && <ComputeDialog onClose={() => setComputing(false)} />}
    </>
  )
}

function Differences() {
  const { t } = useReconciliationWords()
  const { choices } = useAccounts()
  const sum = (amount: number | null) => (amount === null ? none : <Money amount={amount} />)
  return (
    <ListPage<DifferenceRow>
      name="reconciliation-differences"
      title={useScreenTitle()}
      endpoint={listDifferences}
      defaultSort="-foundAt"
      searchLabel={t('differences.search')}
      summary={<SectionTabs shown="differences" />}
      columns={[
        { key: 'kind', label: t('column.kind'), cell: (row) => t(`kind.${row.kind}`) },
        { key: 'day', label: t('column.day'), cell: (row) => <DateText value={row.day} as="short" /> },
        { key: 'account', label: t('column.accountName'), cell: (row) => row.accountName, hidden: true },
        { key: 'label', label: t('column.label'), cell: (row) => row.payment?.applicantName ?? row.label },
        { key: 'ledger', label: t('column.ledgerAmount'), cell: (row) => sum(row.ledgerAmount), numeric: true },
        {
          key: 'reported',
          label: t('column.reportedAmount'),
          cell: (row) => sum(row.reportedAmount),
          numeric: true,
          hidden: true,
        },
        {
          key: 'statement',
          label: t('column.statementAmount'),
          cell: (row) => (row.statementAmountSen === null ? none : <SenMoney amountSen={row.statementAmountSen} />),
          numeric: true,
        },
        {
          key: 'settled',
          label: t('column.state'),
          cell: (row) => (
            <StatusDot
              tone={row.settledAt ? 'done' : 'attention'}
              label={row.settledHow === 'agrees' ? t('day.agreesNow') : row.settledAt ? t('yes') : t('no')}
            />
          ),
        },
        { key: 'reason', label: t('column.reason'), cell: (row) => row.reason ?? none, hidden: true },
        { key: 'by', label: t('column.settledBy'), cell: (row) => row.settledBy ?? none, hidden: true },
        {
          key: 'foundAt',
          label: t('column.foundAt'),
          cell: (row) => <DateText value={row.foundAt} as="short" />,
          sort: true,
          hidden: true,
        },
      ]}
      filters={[
        {
          key: 'settled',
          label: t('column.state'),
          kind: 'choice',
          quick: true,
          choices: [
            { value: 'false', label: t('no') },
            { value: 'true', label: t('yes') },
          ],
        },
        {
          key: 'kind',
          label: t('column.kind'),
          kind: 'choice',
          choices: differenceKinds.map((value) => ({ value, label: t(`kind.${value}`) })),
        },
        { key: 'bankAccountId', label: t('column.accountName'), kind: 'choice', choices },
        { key: 'from', label: t('column.from'), kind: 'date' },
        { key: 'to', label: t('column.to'), kind: 'date' },
      ]}
      exportPath="/reconciliation-differences/export"
      rowId={({ id }) => id}
      rowTitle={(row) => `${t(`kind.${row.kind}`)} · ${row.day}`}
      href={({ dayId }) => `/rekonsiliasi/${dayId}`}
      dimmed={({ settledAt }) => settledAt !== null}
      empty={{ title: t('differences.empty'), text: <Text c="dimmed">{t('differences.emptyText')}</Text> }}
    />
  )
}
