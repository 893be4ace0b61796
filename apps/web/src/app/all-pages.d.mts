import type { Page } from '#web/shell/page.ts'

/**
 * Every page of the product, for code outside the web app: menu seeds, the walk over all pages, tests. Declared apart
 * from its value, so that type checks of that code skip the page components.
 */
export const allPages: readonly Page[]
