import { useTranslation } from 'react-i18next'
import { PageTabs } from '#web/shell/page-tabs.tsx'

const paths = {
  ledger: '/komisi',
  balances: '/komisi/saldo',
  holds: '/komisi/ditahan',
  rules: '/komisi/aturan',
  payouts: '/komisi/pencairan',
  applications: '/komisi/permohonan',
} as const

/** The lists of commission as tabs. */
export function CommissionTabs({ tab }: { tab: keyof typeof paths }) {
  const { t } = useTranslation('affiliates')
  const tabs = Object.entries(paths).map(([key, path]) => [path, t(`tabs.${key as keyof typeof paths}`)] as const)
  return <PageTabs label={t('tabs.label')} current={paths[tab]} tabs={tabs} />
}
