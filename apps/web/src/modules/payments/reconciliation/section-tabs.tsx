import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useReconciliationWords } from './words.ts'

const tabs = {
  days: '/rekonsiliasi',
  differences: '/rekonsiliasi?show=differences',
  lines: '/rekonsiliasi/mutasi',
  statements: '/rekonsiliasi/impor',
}

/** Links between the lists of the reconciliation. */
export function SectionTabs({ current }: { current: keyof typeof tabs }) {
  const { t } = useReconciliationWords()
  return (
    <nav>
      {Object.entries(tabs).map(([tab, path]) => (
        <Button
          key={tab}
          component={Link}
          to={path}
          variant={current === tab ? 'light' : 'subtle'}
          aria-current={current === tab ? 'page' : undefined}
        >
          {t(`tab.${tab as keyof typeof tabs}`)}
        </Button>
      ))}
    </nav>
  )
}
