import { useTranslation } from 'react-i18next'
import { listCommission } from '#domain/affiliates/lists.ts'
import { rupiah } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CommissionTabs } from './commission-tabs.tsx'
import { entryTones } from './tones.ts'

/** The commission ledger: all entries, with their sum. */
export default function LedgerPage() {
  const { t } = useTranslation('affiliates')
  return (
    <>
      <CommissionTabs tab="ledger" />
      <DataList
        list={listCommission}
        title={useScreenTitle()}
        searchLabel={t('ledger.search')}
        summary={({ sums }) => t('ledger.sum', { amount: rupiah(sums.amount) })}
        rowTitle={({ affiliate, code }) => (code ? `${affiliate} · ${code}` : affiliate)}
        cells={{ kind: ({ kind }) => <StatusDot tone={entryTones[kind]} label={t(`kindOfEntry.${kind}`)} /> }}
        empty={{ title: t('ledger.empty'), text: t('ledger.emptyText') }}
      />
    </>
  )
}
