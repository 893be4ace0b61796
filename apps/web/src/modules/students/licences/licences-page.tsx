import { useTranslation } from 'react-i18next'
import { listLicences } from '#domain/students/licences/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { stateTones, validityTones } from './licence-tones.ts'

/** Driving licences to verify or expiring soon. */
export default function LicencesPage() {
  const { t } = useTranslation('licences')
  const title = useScreenTitle()
  const { may } = useSession()
  return (
    <DataList
      list={listLicences}
      title={title}
      rowTitle={({ name }) => name}
      href={({ id }) => (may('sim-mahasiswa-update') ? `/sim-mahasiswa/${id}` : undefined)}
      cells={{
        state: ({ state }) => <StatusDot tone={stateTones[state]} label={t(`state.${state}`)} />,
        validity: ({ validity }) => <StatusDot tone={validityTones[validity]} label={t(`validity.${validity}`)} />,
      }}
      preview
      empty={{ title: t('empty'), text: t('emptyText') }}
    />
  )
}
