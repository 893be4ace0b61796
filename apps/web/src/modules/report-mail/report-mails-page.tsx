import { useTranslation } from 'react-i18next'
import { listReportMails } from '#domain/report-mail/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { outcomeTones } from './tones.ts'
import { useMailActions } from './use-mail-actions.tsx'

/** Reports the reader has scheduled by mail. */
export default function ReportMailsPage() {
  const { t } = useTranslation('report-mail')
  return (
    <DataList
      list={listReportMails}
      title={useScreenTitle()}
      searchLabel={t('search')}
      rowTitle={({ name }) => name}
      href={({ id }) => `/laporan-kiriman/${id}`}
      dimmed={({ state }) => state === 'paused'}
      preview
      rowActions={useMailActions()}
      cells={{
        outcome: ({ outcome }) => <StatusDot tone={outcomeTones[outcome]} label={t(`outcome.${outcome}`)} />,
      }}
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
