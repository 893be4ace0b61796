import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { accountParts } from '#domain/accounts/redirect.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import tabLinks from '#web/ui/tab-links.module.css'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'

type Props = {
  children: ReactNode
  /** Whether to show the tabs; staff have a single page and no tabs. */
  applicant?: boolean
  /** Name of the driving licence (SIM) from the general settings. */
  simLabel?: string
}

/** Frame of all /account/… pages, which are its tabs. */
export function AccountLayout({ children, applicant = true, simLabel }: Props) {
  const { t } = useTranslation('accounts')
  const tabRow = useCurrentTab()
  return (
    <>
      <PageHeader title={t('account.title')} />
      {applicant && (
        <nav ref={tabRow} aria-label={t('account.tabs')} className={tabLinks.tabs}>
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
