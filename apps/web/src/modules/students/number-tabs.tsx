import { useTranslation } from 'react-i18next'
import { PageTabs } from '#web/shell/page-tabs.tsx'

const paths = { numbers: '/npm-mahasiswa', unused: '/npm-mahasiswa/unused' } as const

/** The two student number pages as tabs. */
export function NumberTabs({ tab }: { tab: keyof typeof paths }) {
  const { t } = useTranslation('students')
  return (
    <PageTabs
      label={t('tabs.label')}
      current={paths[tab]}
      tabs={[
        [paths.numbers, t('tabs.numbers')],
        [paths.unused, t('tabs.unused')],
      ]}
    />
  )
}
