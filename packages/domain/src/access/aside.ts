import type { Localized } from '#entities/define/language.ts'
import type { MenuItem } from './session-endpoints.ts'

type Menu = {
  id: string
  name: Localized
  path: string | null
  icon: string | null
  parentId: string | null
  permission: string | null
}

/**
 * Menu of a role: entries whose permission it holds, without empty headings. The server returns it; the back office
 * previews it.
 */
export function asideOf(menus: readonly Menu[], permissions: ReadonlySet<string>): MenuItem[] {
  const itemsBelow = Map.groupBy(menus, (menu) => menu.parentId)
  const tree = (parent: string | null): MenuItem[] =>
    (itemsBelow.get(parent) ?? [])
      .filter(({ permission }) => !permission || permissions.has(permission))
      .map(({ id, name, path, icon }) => ({ id, name, path, icon, children: tree(id) }))
      .filter((menu) => menu.path || menu.children.length > 0)
  return tree(null)
}
