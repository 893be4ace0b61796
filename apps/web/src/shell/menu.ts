import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { MenuItem } from '#domain/access/endpoints.ts'
import { accountParts } from '#domain/accounts/redirect.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'
import { withoutApplicantPages } from './staff-menu.ts'
import { usePage } from './title.tsx'

const here = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`)

/** The entry a screen belongs to: the longest path it starts with. */
export function activePath(menus: readonly MenuItem[], pathname: string): string | null {
  let best: string | null = null
  const visit = (items: readonly MenuItem[]) => {
    for (const item of items) {
      if (item.path && here(pathname, item.path) && item.path.length > (best?.length ?? 0)) best = item.path
      visit(item.children)
    }
  }
  visit(menus)
  return best
}

export const contains = (item: MenuItem, path: string | null): boolean =>
  path !== null && (item.path === path || item.children.some((child) => contains(child, path)))

/** The person's menu as the server gives it, with the own account at its end. */
export function useMenu() {
  const { menus: given, user } = useSession()
  const { t } = useTranslation(['titles', 'navigation'])
  const { pathname } = useLocation()
  // A district belongs to the menu of the list it is found through.
  const above = usePage()?.breadcrumbs.findLast(({ path }) => path && !path.includes(':'))?.path
  const applicant = user?.role.name === applicantRole
  const menus = applicant ? given : withoutApplicantPages(given)
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
  const known = JSON.stringify(menus).includes('"/account/')
  const items = known ? menus : [...menus, account]
  const language = useLanguage()
  return {
    items,
    applicant,
    active: activePath(items, pathname) ?? activePath(items, above ?? ''),
    nameOf: (item: MenuItem) => item.name[language],
  }
}
