import { useTranslation } from 'react-i18next'
import { PageTabs } from '#web/shell/page-tabs.tsx'

const paths = {
  import: '/import-nilai-cbt',
  manual: '/import-nilai-cbt/manual',
  runs: '/import-nilai-cbt/runs',
} as const

/** Tabs for the three pages of scores. */
export function ScoreTabs({ tab }: { tab: keyof typeof paths }) {
  const { t } = useTranslation('scores')
  return (
    <PageTabs
      label={t('tabs.label')}
      current={paths[tab]}
      tabs={[
        [paths.import, t('tabs.import')],
        [paths.manual, t('tabs.manual')],
        [paths.runs, t('tabs.runs')],
      ]}
    />
  )
}
