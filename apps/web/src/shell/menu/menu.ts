import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { accountParts } from '#domain/accounts/redirect.ts'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useLanguage } from '#web/shell/language.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { usePage } from '#web/shell/title.tsx'
import { withoutApplicantPages, withoutStaffPages } from './staff-menu.ts'

const isAtOrBelow = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`)

/** Path of the menu entry for a screen: the longest one the screen's path starts with. */
export function activePath(menus: readonly MenuItem[], pathname: string): string | null {
  let longest: string | null = null
  const visit = (items: readonly MenuItem[]) => {
    for (const item of items) {
      if (item.path && isAtOrBelow(pathname, item.path) && item.path.length > (longest?.length ?? 0))
        longest = item.path
      visit(item.children)
    }
  }
  visit(menus)
  return longest
}

/**
 * Menu entry to highlight: the screen's own. Otherwise, if the screen's address is below another list, the entry of the
 * list that leads to it. Otherwise the entry whose path the screen's path starts with.
 */
export function highlightedPath(menus: readonly MenuItem[], pathname: string, listPath: string): string | null {
  const own = activePath(menus, pathname)
  if (own === pathname || isAtOrBelow(pathname, listPath)) return own
  return activePath(menus, listPath) ?? own
}

export const contains = (item: MenuItem, path: string | null): boolean =>
  path !== null && (item.path === path || item.children.some((child) => contains(child, path)))

/** A draft has no bill yet, and nobody pays for a registration that has ended. */
const withoutPayments: readonly string[] = ['draft', 'withdrawn', 'cancelled', 'expired'] satisfies RegistrationStatus[]

/** The user's menu from the server; for an applicant, followed by payments and account. */
export function useMenu() {
  const { menus: allMenus, user } = useSession()
  const { t } = useTranslation(['titles', 'navigation'])
  const { pathname } = useLocation()
  // A nested record, such as a district, belongs to the menu entry of the list leading to it. The dashboard is above
  // all pages and never counts.
  const parentPath = usePage()?.breadcrumbs.findLast(
    ({ path }) => path && !path.includes(':') && path !== '/dashboard',
  )?.path
  const applicant = user?.role.name === applicantRole
  const menus = applicant ? withoutStaffPages(allMenus) : withoutApplicantPages(allMenus)
  const entry = (name: string, path: string | null, icon: string, children: MenuItem[] = []): MenuItem => ({
    id: path ?? icon,
    name: { en: name, id: name },
    path,
    icon,
    children,
  })
  const account = applicant
    ? entry(
        t('titles:account'),
        null,
        'user',
        accountParts.map((part) => entry(t(`titles:account-${part}`), `/account/${part}`, 'point')),
      )
    : entry(t('titles:account-settings'), '/account/settings', 'user')
  const { data: dashboard } = useEndpoint(readDashboard, {}, { enabled: applicant })
  const paying =
    dashboard?.data.kind === 'applicant'
      ? dashboard.data.registrations.find(({ status }) => !withoutPayments.includes(status))
      : undefined
  const payment =
    paying && entry(t('titles:pendaftaran-pembayaran'), `/pendaftaran/${paying.id}/pembayaran`, 'credit-card')
  const hasAccountMenu = JSON.stringify(menus).includes('"/account/')
  const items = [...menus, ...(payment ? [payment] : []), ...(hasAccountMenu ? [] : [account])]
  const language = useLanguage()
  return {
    items,
    applicant,
    active: highlightedPath(items, pathname, parentPath ?? ''),
    nameOf: (item: MenuItem) => item.name[language],
  }
}
