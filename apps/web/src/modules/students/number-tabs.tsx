import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import tabLinks from '#web/ui/tab-links.module.css'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'

const tabs = { numbers: '/npm-mahasiswa', unused: '/npm-mahasiswa/unused' } as const

/** The two pages of student numbers as tabs. */
export function NumberTabs({ tab }: { tab: keyof typeof tabs }) {
  const { t } = useTranslation('students')
  const row = useCurrentTab()
  return (
    <nav ref={row} aria-label={t('tabs.label')} className={tabLinks.tabs}>
      {(Object.keys(tabs) as (keyof typeof tabs)[]).map((name) => (
        <Link key={name} to={tabs[name]} className={tabLinks.tab} aria-current={name === tab ? 'page' : undefined}>
          {t(`tabs.${name}`)}
        </Link>
      ))}
    </nav>
  )
}
