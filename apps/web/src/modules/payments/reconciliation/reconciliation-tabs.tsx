import { PageTabs } from '#web/shell/page-tabs.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useReconciliationWords } from './words.ts'

const paths = {
  days: '/rekonsiliasi',
  differences: '/rekonsiliasi?show=differences',
  lines: '/rekonsiliasi/mutasi',
  statements: '/rekonsiliasi/impor',
  proofs: '/bukti-transfer',
} as const

/** The lists of the reconciliation as tabs. */
export function ReconciliationTabs({ tab }: { tab: keyof typeof paths }) {
  const { t } = useReconciliationWords()
  const { may } = useSession()
  const tabs = Object.entries(paths)
    .filter(([key]) => key !== 'proofs' || may('pembayaran-mahasiswa-view'))
    .map(([key, path]) => [path, t(`tabs.${key as keyof typeof paths}`)] as const)
  return <PageTabs label={t('tabs.label')} current={paths[tab]} tabs={tabs} />
}
