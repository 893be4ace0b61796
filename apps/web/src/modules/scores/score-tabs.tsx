import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import tabLinks from '#web/ui/tab-links.module.css'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'

const tabs = {
  import: '/import-nilai-cbt',
  manual: '/import-nilai-cbt/manual',
  runs: '/import-nilai-cbt/runs',
} as const

/** The three pages of scores as tabs. */
export function ScoreTabs({ tab }: { tab: keyof typeof tabs }) {
  const { t } = useTranslation('scores')
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
