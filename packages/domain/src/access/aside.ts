import type { MenuItem } from './endpoints.ts'

type Menu = {
  id: string
  name: { en: string; id: string }
  path: string | null
  icon: string | null
  parentId: string | null
  permission: string | null
}

/**
 * The aside somebody sees: of the menus given to the role, those whose permission it holds; headings without anything
 * below them are left out. The server answers with it, and the back office shows it as a preview.
 */
export function asideOf(menus: readonly Menu[], permissions: ReadonlySet<string>): MenuItem[] {
  const below = Map.groupBy(menus, (menu) => menu.parentId)
  const tree = (parent: string | null): MenuItem[] =>
    (below.get(parent) ?? [])
      .filter(({ permission }) => !permission || permissions.has(permission))
      .map(({ id, name, path, icon }) => ({ id, name, path, icon, children: tree(id) }))
      .filter((menu) => menu.path || menu.children.length > 0)
  return tree(null)
}
