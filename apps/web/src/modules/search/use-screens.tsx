import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { MenuIcon } from '#web/shell/menu/menu-icons.tsx'
import { usePageTable } from '#web/shell/page-table.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { titleText, type Words } from '#web/shell/title.tsx'
import type { Tone } from '#web/ui/text/status-dot.tsx'
import type { Opened } from './recent.ts'

export type Item = {
  key: string
  title: string
  hint: string
  icon: ReactNode
  status: { tone: Tone; label: string } | null
  path: string
  opened: Opened
}

export type Screen = Item & {
  /** What finds it, in the form of `searchKeyOf`. */
  words: string
}

/** Words that find the forms for a new record, in both languages. */
const wordsForNew = 'new create add tambah baru buat'

/**
 * The screens the reader may open: those of the menu, and for staff all others with a fixed address. Actions are forms
 * for a new record.
 */
export function useScreens(): { screens: Screen[]; actions: Screen[] } {
  const { t } = useTranslation(['titles', 'staff-titles'])
  const { items: menus, nameOf, applicant } = useMenu()
  const { pages } = usePageTable()
  const { may } = useSession()
  const screens: Screen[] = []
  const actions: Screen[] = []
  const visit = (item: MenuItem, above: string[]) => {
    if (item.path)
      screens.push({
        key: item.id,
        title: nameOf(item),
        hint: above.join(' / '),
        icon: <MenuIcon name={item.icon} size={18} />,
        status: null,
        path: item.path,
        opened: { kind: 'menu', path: item.path },
        words: searchKeyOf(` ${nameOf(item)} ${item.name.en} ${item.name.id} ${above.join(' ')}`),
      })
    for (const child of item.children) visit(child, [...above, nameOf(item)])
  }
  for (const item of menus) visit(item, [])
  const listed = new Set(screens.map(({ path }) => path))
  for (const page of applicant ? [] : pages) {
    const { path, access, layout, audience, breadcrumbs } = page
    const opens = access === 'signed-in' || may(access)
    if (!opens || layout !== 'app' || audience === 'applicants' || path.includes(':') || listed.has(path)) continue
    const title = titleText(t as Words, page)
    const above = breadcrumbs.slice(1).map((crumb) => titleText(t as Words, crumb))
    const isAction = path.endsWith('/create')
    const inBoth = [page.title, page.noun].flatMap((text) => (typeof text === 'object' ? [text.en, text.id] : []))
    const words = [title, ...above, ...inBoth, path.replaceAll(/[/-]/g, ' '), isAction ? wordsForNew : ''].join(' ')
    ;(isAction ? actions : screens).push({
      key: path,
      title,
      hint: above.join(' / '),
      icon: isAction ? <IconPlus size={18} aria-hidden /> : <MenuIcon name={null} size={18} />,
      status: null,
      path,
      opened: { kind: 'menu', path },
      words: searchKeyOf(` ${words}`),
    })
  }
  return { screens, actions }
}
