import { useTranslation } from 'react-i18next'
import { downloadFeederSheet } from '#domain/students/feeder/endpoints.ts'
import { type FeederStudentRow, listFeederStudents } from '#domain/students/feeder/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useFeederActions } from './feeder-actions.tsx'
import { FeederTabs } from './feeder-tabs.tsx'
import { stateTones } from './feeder-tones.ts'
import { SheetMenu } from './sheet-menu.tsx'

/** Students with the data still missing for the ministry’s register; they are sent from here. */
export default function FeederPage() {
  const { t } = useTranslation('feeder')
  const { may } = useSession()
  const actions = useFeederActions<FeederStudentRow>()
  return (
    <DataList
      list={listFeederStudents}
      rowId={({ registrationId }) => registrationId}
      title={useScreenTitle()}
      searchLabel={t('search')}
      lead={<FeederTabs tab="students" />}
      rowTitle={({ name, npm }) => `${name} · ${npm}`}
      href={({ registrationId }) => `/mahasiswa-feeder/${registrationId}`}
      rowActions={actions}
      cells={{ state: ({ state }) => <StatusDot tone={stateTones[state]} label={t(`state.${state}`)} /> }}
      empty={{ title: t('empty'), text: t('emptyText') }}
      actions={may(downloadFeederSheet.access) && <SheetMenu />}
    />
  )
}
