import { useTranslation } from 'react-i18next'
import { PageTabs } from '#web/shell/page-tabs.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'

const paths = { students: '/mahasiswa-feeder', log: '/mahasiswa-feeder/log' } as const

/** The two Neo Feeder pages as tabs. */
export function FeederTabs({ tab }: { tab: keyof typeof paths }) {
  const { t } = useTranslation('feeder')
  return (
    <PageTabs
      label={useScreenTitle()}
      current={paths[tab]}
      tabs={[
        [paths.students, t('openList')],
        [paths.log, t('openLog')],
      ]}
    />
  )
}
