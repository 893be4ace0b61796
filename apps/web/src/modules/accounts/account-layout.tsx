import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import tabLinks from '../../ui/tab-links.module.css'

const tabs = ['overview', 'settings', 'pendidikan-terakhir', 'berkas', 'sim', 'kuesioner'] as const
const staffTabs: readonly string[] = ['overview', 'settings']

type Props = {
  children: ReactNode
  /** Only applicants have the parts of a student file. */
  applicant?: boolean
  /** The general settings may call the SIM differently. */
  simLabel?: string
}

/** The account's parts as tabs that are links; every /account/… page stands in it. */
export function AccountLayout({ children, applicant = true, simLabel }: Props) {
  const { t } = useTranslation('accounts')
  const shown = applicant ? tabs : tabs.filter((tab) => staffTabs.includes(tab))
  return (
    <>
      <PageHeader title={t('account.title')} />
      <nav aria-label={t('account.tabs')} className={tabLinks.tabs}>
        {shown.map((tab) => (
          <NavLink key={tab} to={`/account/${tab}`} className={tabLinks.tab}>
            {tab === 'sim' && simLabel ? simLabel : t(`account.${tab}`)}
          </NavLink>
        ))}
      </nav>
      {children}
    </>
  )
}
