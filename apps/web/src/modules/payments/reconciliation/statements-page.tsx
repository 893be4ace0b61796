import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { listBankAccounts, type StatementRow } from '#domain/payments/reconciliation/endpoints.ts'
import { listStatements } from '#domain/payments/reconciliation/lists.ts'
import { longDate, rupiahOfSen } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { PendingNotice } from '#web/modules/payments/approvals/pending-notice.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { ReconciliationTabs } from './reconciliation-tabs.tsx'
import { ReleaseManyDialog } from './release-dialog.tsx'
import { StatementUpload } from './statement/statement-upload.tsx'
import { useAccounts } from './use-accounts.ts'
import { useReconciliationWords } from './words.ts'

/** Bank accounts of the university and their statements. */
export default function StatementsPage() {
  const { may } = useSession()
  const { loaded, error, refetch, accounts, pending } = useAccounts()
  const title = useScreenTitle()
  if (error && !loaded) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <>
      <PageHeader title={title} />
      <Stack gap="md">
        <ReconciliationTabs tab="statements" />
        {!loaded ? <LoadingRows rows={4} /> : (may('rekonsiliasi-update') || accounts.length === 0) && <Import />}
        {pending.map((change) => (
          <PendingNotice key={change.id} change={change} kind="bank_account" changeKey={keyOf(listBankAccounts)} />
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
  const activeAccounts = accounts.filter(({ active }) => active)
  const chosenAccount =
    accounts.find(({ id }) => id === search.get('account')) ??
    (activeAccounts.length === 1 ? activeAccounts[0] : undefined)
  const chooseAccount = (id: string) =>
    setSearch((previous) => {
      const next = new URLSearchParams(previous)
      next.set('account', id)
      return next
    })
  const addButton = may('rekonsiliasi-update') && (
    <Button variant={accounts.length === 0 ? 'filled' : 'default'} onClick={() => setDialog('add')}>
      {t('account.add')}
    </Button>
  )
  return (
    <Card title={t('upload.title')}>
      {accounts.length === 0 ? (
        <EmptyState title={t('account.none')}>
          <Text c="dimmed">{t('account.noneText')}</Text>
          {addButton}
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
                .filter(({ active, id }) => active || id === chosenAccount?.id)
                .map(({ id, name, bank, number }) => ({ value: id, label: `${name} · ${bank} ${number}` }))}
              value={chosenAccount?.id ?? null}
              onChange={(id) => id && chooseAccount(id)}
            />
            {chosenAccount && (
              <Button variant="default" disabled={chosenAccount.pending !== null} onClick={() => setDialog('edit')}>
                {t('account.edit')}
              </Button>
            )}
            {addButton}
          </Group>
          {chosenAccount && (
            <>
              {chosenAccount.pending && (
                <PendingNotice change={chosenAccount.pending} kind="bank_account" changeKey={keyOf(listBankAccounts)} />
              )}
              <Text size="sm" c="dimmed">
                {chosenAccount.lastDay
                  ? t('account.lastDay', { day: longDate(chosenAccount.lastDay, language) })
                  : t('account.noStatement')}
              </Text>
              <StatementUpload key={chosenAccount.id} account={chosenAccount} />
            </>
          )}
        </Stack>
      )}
      {dialog && (
        <AccountDialog
          account={dialog === 'edit' ? chosenAccount : undefined}
          banks={banks}
          onClose={() => setDialog(null)}
        />
      )}
    </Card>
  )
}

/** Lines held because they resemble stored ones, and the button that decides all of them. */
function HeldLines({ statement }: { statement: StatementRow }) {
  const { t } = useReconciliationWords()
  const { may } = useSession()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (statement.held === 0) return null
  return (
    <Stack gap="xs">
      <Text>{t('release.heldOf', { count: statement.held })}</Text>
      <Group gap="sm">
        <Anchor component={Link} to={`/rekonsiliasi/mutasi?importId=${statement.id}&state=held`}>
          {t('release.showHeld')}
        </Anchor>
        {may('rekonsiliasi-update') && (
          <Button variant="default" size="compact-md" onClick={() => setIsDialogOpen(true)}>
            {t('release.many')}
          </Button>
        )}
      </Group>
      {isDialogOpen && <ReleaseManyDialog statement={statement} onClose={() => setIsDialogOpen(false)} />}
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
