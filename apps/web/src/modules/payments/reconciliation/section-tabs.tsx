import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useReconciliationWords } from './words.ts'

const tabs = {
  days: '/rekonsiliasi',
  differences: '/rekonsiliasi?show=differences',
  lines: '/rekonsiliasi/mutasi',
  statements: '/rekonsiliasi/impor',
}

/** From one list of the reconciliation to the others. */
export function SectionTabs({ shown }: { shown: keyof typeof tabs }) {
  const { t } = useReconciliationWords()
  return (
    <nav>
      {Object.entries(tabs).map(([tab, path]) => (
        <Button
          key={tab}
          component={Link}
          to={path}
          variant={shown === tab ? 'light' : 'subtle'}
          aria-current={shown === tab ? 'page' : undefined}
        >
          {t(`tab.${tab as keyof typeof tabs}`)}
        </Button>
      ))}
    </nav>
  )
}
