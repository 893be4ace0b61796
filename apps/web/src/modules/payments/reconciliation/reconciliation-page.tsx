import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { listDays, listDifferences } from '#domain/payments/reconciliation/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { SenMoney } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { ComputeDialog } from './compute-dialog.tsx'
import { ReconciliationTabs } from './reconciliation-tabs.tsx'
import { useAccounts } from './use-accounts.ts'
import { dayTone, useReconciliationWords } from './words.ts'

const emptyCell = '—'

/** Reconciled days and open differences. */
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
      <DataList
        list={listDays}
        title={useScreenTitle()}
        searchLabel={t('days.search')}
        lead={<ReconciliationTabs tab="days" />}
        actions={may('rekonsiliasi-update') && <Button onClick={() => setComputing(true)}>{t('days.compute')}</Button>}
        cells={{
          state: (row) => (
            <StatusDot
              tone={dayTone(row.state)}
              label={row.state === 'open' ? t('openCount', { count: row.openDifferences }) : t(`dayState.${row.state}`)}
            />
          ),
          statementTotalSen: (row) => (row.hasStatement ? <SenMoney amountSen={row.statementTotalSen} /> : emptyCell),
        }}
        controls={{ bankAccountId: { kind: 'choice', choices } }}
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
  return (
    <DataList
      list={listDifferences}
      title={useScreenTitle()}
      searchLabel={t('differences.search')}
      lead={<ReconciliationTabs tab="differences" />}
      cells={{
        label: (row) => row.payment?.applicantName ?? row.label,
        applicantName: (row) => row.payment?.applicantName ?? emptyCell,
        settled: (row) => (
          <StatusDot
            tone={row.settledAt ? 'done' : 'attention'}
            label={row.settledHow === 'agrees' ? t('day.agreesNow') : row.settledAt ? t('yes') : t('no')}
          />
        ),
      }}
      controls={{
        bankAccountId: { kind: 'choice', choices },
        settled: {
          kind: 'choice',
          choices: [
            { value: 'false', label: t('no') },
            { value: 'true', label: t('yes') },
          ],
        },
      }}
      rowTitle={(row) => `${t(`kind.${row.kind}`)} · ${row.day}`}
      href={({ dayId }) => `/rekonsiliasi/${dayId}`}
      dimmed={({ settledAt }) => settledAt !== null}
      empty={{ title: t('differences.empty'), text: <Text c="dimmed">{t('differences.emptyText')}</Text> }}
    />
  )
}
