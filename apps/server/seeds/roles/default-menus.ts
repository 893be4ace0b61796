import { defaultMenusOf } from '#domain/access/menus.ts'
import { allPages } from '#web/app/all-pages.mjs'

/** The menu a new database starts with; changed under settings afterwards. A role sees the entries its permissions allow. */
export const defaultMenus = defaultMenusOf(allPages)
