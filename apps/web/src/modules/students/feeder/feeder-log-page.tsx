import { useTranslation } from 'react-i18next'
import { listFeederResults } from '#domain/students/feeder/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { FeederTabs } from './feeder-tabs.tsx'
import { outcomeTones } from './feeder-tones.ts'

/** Outcome of each attempt to send a student. */
export default function FeederLogPage() {
  const { t } = useTranslation('feeder')
  return (
    <DataList
      list={listFeederResults}
      title={useScreenTitle()}
      searchLabel={t('log.search')}
      lead={<FeederTabs tab="log" />}
      rowTitle={({ name, npm }) => [name, npm].filter(Boolean).join(' · ')}
      href={({ registrationId }) => `/mahasiswa-feeder/${registrationId}`}
      cells={{ outcome: ({ outcome }) => <StatusDot tone={outcomeTones[outcome]} label={t(`outcome.${outcome}`)} /> }}
      empty={{ title: t('log.empty'), text: t('log.emptyText') }}
    />
  )
}
