import { defaultMenusOf } from '#domain/access/menus.ts'
import { allPages } from '#web/app/all-pages.mjs'

/**
 * The menu of a new database, which administrators change under settings. A role sees the entries its permissions
 * allow.
 */
export const defaultMenus = defaultMenusOf(allPages)
