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

/** Screens for applicants only: staff do not see them in their menu, whatever permissions their role has. */
const applicantPaths: readonly (string | null)[] = ['/konfirmasi-kelulusan']

/** Drops the entries of screens for applicants, and headings that held no other entry. */
export const withoutApplicantScreens = (items: readonly MenuItem[]): MenuItem[] =>
  items
    .filter(({ path }) => !applicantPaths.includes(path))
    .map((item) => ({ ...item, children: withoutApplicantScreens(item.children) }))
    .filter(({ path, children }) => path || children.length > 0)
