import { useTranslation } from 'react-i18next'
import { matchPath } from 'react-router'
import type { MenuRow } from '#domain/access/endpoints.ts'
import { screens } from '#domain/navigation/screens.ts'

/** The screen an address leads to. */
export const screenOf = (path: string) => {
  const [pathname = ''] = path.split('?')
  return (
    screens.find((screen) => screen.path === pathname) ?? screens.find((screen) => matchPath(screen.path, pathname))
  )
}

/** What is wrong with a menu, in words: an address without a screen, or another permission than the screen asks for. */
export function useMenuFlaw() {
  const { t } = useTranslation('access')
  return ({ path, permission }: Pick<MenuRow, 'path' | 'permission'>): string | null => {
    if (!path) return null
    const screen = screenOf(path)
    if (!screen) return t('menus.noScreen')
    if (screen.access === 'public' || screen.access === 'signed-in' || screen.access === permission) return null
    return t('menus.otherPermission', { needed: screen.access, given: permission ?? '—' })
  }
}
