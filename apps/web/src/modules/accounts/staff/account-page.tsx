import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { type AccountDetail, readAccount } from '#domain/accounts/staff-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { RecordButtons } from '#web/list/actions/row-buttons.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import tabLinks from '#web/ui/tab-links.module.css'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'
import { useAccountPageActions } from './account-row-actions.tsx'
import { HistoryCard } from './history-card.tsx'
import { InvitationCard } from './invitation-card.tsx'
import { PersonCard } from './person-card.tsx'
import { SecurityCards } from './security-cards.tsx'
import { SessionsOfAccount } from './sessions-of-account.tsx'
import classes from './staff.module.css'
import { StandingDot } from './standing.tsx'

const tabs = ['account', 'security', 'history'] as const

/** One account: person, role, sign-in methods and history. */
export default function AccountPage() {
  const { t } = useTranslation('staff-accounts')
  const { language } = useSurroundings()
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const { data, error, refetch } = useEndpoint(readAccount, { params: { id } })
  const account = data?.data
  usePageTitle(account?.name)
  const tabRow = useCurrentTab()
  const tabInAddress = search.get('tab')
  const tab = tabs.find((tabName) => tabName === tabInAddress) ?? 'account'
  if (!account) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const signedIn = account.lastSignedInAt ? dateTime(account.lastSignedInAt, language) : t('never')
  return (
    <>
      <PageHeader
        title={account.name}
        description={
          <span className={classes.summary}>
            <StandingDot account={account} />
            <span>{account.role.name}</span>
            <span>
              {t('detail.facts.lastSignedIn')}: {signedIn}
            </span>
          </span>
        }
        actions={<Actions account={account} />}
      />
      <nav ref={tabRow} aria-label={t('detail.tabsLabel')} className={tabLinks.tabs}>
        {tabs.map((tabName) => (
          <Link
            key={tabName}
            to={tabName === 'account' ? '?' : `?tab=${tabName}`}
            className={tabLinks.tab}
            aria-current={tabName === tab ? 'page' : undefined}
          >
            {t(`detail.tabs.${tabName}`)}
          </Link>
        ))}
      </nav>
      {account.refusals.change && (
        <Text c="dimmed" mb="md">
          {account.refusals.change}
        </Text>
      )}
      {tab === 'account' && (
        <div className={classes.columns}>
          <PersonCard key={account.version} account={account} />
          <Stack gap={20}>{account.invitation && <InvitationCard account={account} />}</Stack>
        </div>
      )}
      {tab === 'security' && (
        <div className={classes.columns}>
          <SecurityCards account={account} />
          <SessionsOfAccount account={account} />
        </div>
      )}
      {tab === 'history' && <HistoryCard id={account.id} />}
    </>
  )
}

const Actions = ({ account }: { account: AccountDetail }) => (
  <RecordButtons actions={useAccountPageActions(account)} row={account} size="sm" />
)
