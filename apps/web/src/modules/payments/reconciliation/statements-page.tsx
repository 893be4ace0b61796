import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { listBankAccounts, type StatementRow } from '#domain/payments/reconciliation/endpoints.ts'
import { listStatements } from '#domain/payments/reconciliation/lists.ts'
import { longDate, rupiahOfSen } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { PendingNotice } from '#web/modules/payments/approvals/pending-notice.tsx'
import { useSession } from '#web/shell/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LoadFailed } from '#web/ui/load-failed.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { ReleaseManyDialog } from './release-dialog.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { StatementUpload } from './statement-upload.tsx'
import { useAccounts } from './use-accounts.ts'
import { useReconciliationWords } from './words.ts'

/** The accounts of the university and their statements. */
export default function StatementsPage() {
  const { may } = useSession()
  const { loaded, error, refetch, accounts, pending } = useAccounts()
  const title = useScreenTitle()
  if (error && !loaded) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <>
      <PageHeader title={title} />
      <Stack gap="md">
        <SectionTabs shown="statements" />
        {!loaded ? <LoadingRows rows={4} /> : (may('rekonsiliasi-update') || accounts.length === 0) && <Import />}
        {pending.map((change) => (
          <PendingNotice key={change.id} change={change} kind="bank_account" shown={keyOf(listBankAccounts)} />
        ))}
        <Imported />
      </Stack>
    </>
  )
}

function Import() {
  const { t } = useReconciliationWords()
  const { language } = useSurroundings()
  const { may } = useSession()
  const { accounts, banks } = useAccounts()
  const [search, setSearch] = useSearchParams()
  const [dialog, setDialog] = useState<'add' | 'edit' | null>(null)
  const inUse = accounts.filter(({ active }) => active)
  const chosen = accounts.find(({ id }) => id === search.get('account')) ?? (inUse.length === 1 ? inUse[0] : undefined)
  const choose = (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      next.set('account', id)
      return next
    })
  const add = may('rekonsiliasi-update') && (
    <Button variant={accounts.length === 0 ? 'filled' : 'default'} onClick={() => setDialog('add')}>
      {t('account.add')}
    </Button>
  )
  return (
    <Card title={t('upload.title')}>
      {accounts.length === 0 ? (
        <EmptyState title={t('account.none')}>
          <Text c="dimmed">{t('account.noneText')}</Text>
          {add}
        </EmptyState>
      ) : (
        <Stack gap="md">
          <Group align="end" gap="sm">
            <Select
              label={t('account.label')}
              placeholder={t('account.choose')}
              allowDeselect={false}
              w={{ base: '100%', xs: 320 }}
              data={accounts
                .filter(({ active, id }) => active || id === chosen?.id)
                .map(({ id, name, bank, number }) => ({ value: id, label: `${name} · ${bank} ${number}` }))}
              value={chosen?.id ?? null}
              onChange={(id) => id && choose(id)}
            />
            {chosen && (
              <Button variant="default" disabled={chosen.pending !== null} onClick={() => setDialog('edit')}>
                {t('account.edit')}
              </Button>
            )}
            {add}
          </Group>
          {chosen && (
            <>
              {chosen.pending && (
                <PendingNotice change={chosen.pending} kind="bank_account" shown={keyOf(listBankAccounts)} />
              )}
              <Text size="sm" c="dimmed">
                {chosen.lastDay
                  ? t('account.lastDay', { day: longDate(chosen.lastDay, language) })
                  : t('account.noStatement')}
              </Text>
              <StatementUpload key={chosen.id} account={chosen} />
            </>
          )}
        </Stack>
      )}
      {dialog && (
        <AccountDialog account={dialog === 'edit' ? chosen : undefined} banks={banks} onClose={() => setDialog(null)} />
      )}
    </Card>
  )
}

/** Lines of a statement that look like kept ones, and the way to say something about all of them. */
function HeldLines({ statement }: { statement: StatementRow }) {
  const { t } = useReconciliationWords()
  const { may } = useSession()
  const [asking, setAsking] = useState(false)
  if (statement.held === 0) return null
  return (
    <Stack gap="xs">
      <Text>{t('release.heldOf', { count: statement.held })}</Text>
      <Group gap="sm">
        <Anchor component={Link} to={`/rekonsiliasi/mutasi?importId=${statement.id}&state=held`}>
          {t('release.showHeld')}
        </Anchor>
        {may('rekonsiliasi-update') && (
          <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
            {t('release.many')}
          </Button>
        )}
      </Group>
      {asking && <ReleaseManyDialog statement={statement} onClose={() => setAsking(false)} />}
    </Stack>
  )
}

function Imported() {
  const { t } = useReconciliationWords()
  const { choices } = useAccounts()
  const linesOf = ({ id }: StatementRow) => `/rekonsiliasi/mutasi?importId=${id}`
  return (
    <ListCard
      list={listStatements}
      prefix="imported"
      title={t('statements.title')}
      searchLabel={t('statements.search')}
      controls={{ bankAccountId: { kind: 'choice', choices } }}
      rowTitle={(row) => row.fileName}
      href={linesOf}
      preview={(row) => (
        <Stack gap="md">
          <Facts
            facts={[
              [t('column.accountName'), row.accountName],
              [t('statements.days'), row.days],
              [t('statements.credits'), rupiahOfSen(row.creditsSen)],
              [t('statements.debits'), rupiahOfSen(row.debitsSen)],
              [t('statements.by'), row.importedBy],
              [t('statements.at'), <DateText key="a" value={row.importedAt} as="datetime" />],
            ]}
          />
          <Group gap="sm">
            <Anchor component={Link} to={linesOf(row)}>
              {t('statements.showLines')}
            </Anchor>
            <Anchor href={row.file}>{t('statements.download')}</Anchor>
          </Group>
          <HeldLines statement={row} />
        </Stack>
      )}
      empty={{ title: t('statements.empty') }}
    />
  )
}
