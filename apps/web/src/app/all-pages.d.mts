import type { Page } from '#web/shell/page.ts'

/**
 * Every page of the product, for readers outside the web app: the seeds of the menu, the walk over all pages, tests.
 * Declared apart from its value, so that checking the types of those readers does not check the components of the pages.
 */
export const allPages: readonly Page[]
