import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/shell/session/session.tsx'

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
  const { may } = useSession()
  const open = Object.entries(tabs).filter(([tab]) =>
    may(tab === 'applications' ? 'master-afiliator-view' : 'komisi-view'),
  )
  return (
    <nav>
      {open.map(([tab, path]) => (
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
