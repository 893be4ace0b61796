import { Link } from 'react-router'
import tabLinks from '#web/ui/tab-links.module.css'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'

type Props = { label: string; current: string; tabs: readonly (readonly [path: string, title: string])[] }

/** Pages about one subject as tabs; `current` is the open one's path. */
export function PageTabs({ label, current, tabs }: Props) {
  const row = useCurrentTab()
  return (
    <nav ref={row} aria-label={label} className={tabLinks.tabs}>
      {tabs.map(([path, title]) => (
        <Link key={path} to={path} className={tabLinks.tab} aria-current={path === current ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
