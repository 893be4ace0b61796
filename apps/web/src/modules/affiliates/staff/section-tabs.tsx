import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

const tabs = {
  ledger: '/komisi',
  balances: '/komisi/saldo',
  holds: '/komisi/ditahan',
  rules: '/komisi/aturan',
  payouts: '/komisi/pencairan',
  applications: '/komisi/permohonan',
}

/** Links between the lists of commission. */
export function SectionTabs({ current }: { current: keyof typeof tabs }) {
  const { t } = useTranslation('affiliates')
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
          {t(`tabs.${tab as keyof typeof tabs}`)}
        </Button>
      ))}
    </nav>
  )
}
