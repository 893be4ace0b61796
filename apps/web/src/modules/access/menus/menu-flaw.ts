import { useTranslation } from 'react-i18next'
import { matchPath } from 'react-router'
import type { MenuRow } from '#domain/access/endpoints.ts'
import type { Page } from '#web/shell/page.ts'
import { usePageTable } from '#web/shell/page-table.ts'

/** Page at an address; an exact path takes precedence over one with parameters. */
export const pageOf = (pages: readonly Page[], address: string) => {
  const [pathname = ''] = address.split('?')
  return pages.find(({ path }) => path === pathname) ?? pages.find(({ path }) => matchPath(path, pathname))
}

/**
 * Returns a function that says why a menu cannot work: no page has its address, or its page requires another
 * permission.
 */
export function useMenuFlaw() {
  const { t } = useTranslation('access')
  const { pages } = usePageTable()
  return ({ path, permission }: Pick<MenuRow, 'path' | 'permission'>): string | null => {
    if (!path) return null
    const page = pageOf(pages, path)
    if (!page) return t('menus.noScreen')
    if (page.access === 'public' || page.access === 'signed-in' || page.access === permission) return null
    return t('menus.otherPermission', { needed: page.access, given: permission ?? '—' })
  }
}
