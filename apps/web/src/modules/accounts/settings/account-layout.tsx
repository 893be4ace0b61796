import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { accountParts } from '#domain/accounts/redirect.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import tabLinks from '#web/ui/tab-links.module.css'

type Props = {
  children: ReactNode
  /** Staff have one part, and so no tabs. */
  applicant?: boolean
  /** The general settings may call the SIM differently. */
  simLabel?: string
}

/** The account's parts as tabs that are links; every /account/… page stands in it. */
export function AccountLayout({ children, applicant = true, simLabel }: Props) {
  const { t } = useTranslation('accounts')
  return (
    <>
      <PageHeader title={t('account.title')} />
      {applicant && (
        <nav aria-label={t('account.tabs')} className={tabLinks.tabs}>
          {accountParts.map((part) => (
            <NavLink key={part} to={`/account/${part}`} className={tabLinks.tab}>
              {part === 'sim' && simLabel ? simLabel : t(`account.${part}`)}
            </NavLink>
          ))}
        </nav>
      )}
      {children}
    </>
  )
}
