import { useTranslation } from 'react-i18next'
import { listBalances } from '#domain/affiliates/lists.ts'
import { rupiah } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { CommissionTabs } from './commission-tabs.tsx'

/** Each affiliate's balance, and how much of it can be paid out. */
export default function BalancesPage() {
  const { t } = useTranslation('affiliates')
  const { may } = useSession()
  return (
    <>
      <CommissionTabs tab="balances" />
      <DataList
        list={listBalances}
        title={useScreenTitle()}
        searchLabel={t('balances.search')}
        summary={({ sums }) => t('balances.sums', { balance: rupiah(sums.balance), payable: rupiah(sums.payable) })}
        rowTitle={({ affiliate }) => affiliate}
        href={({ id }) => (may('master-afiliator-update') ? `/master/afiliator/${id}` : undefined)}
        empty={{ title: t('balances.empty'), text: t('balances.emptyText') }}
      />
    </>
  )
}
