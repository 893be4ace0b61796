import type { Page } from '#web/shell/page.ts'
import { pages } from './pages.ts'
import { staffPages } from './staff-pages.ts'

/** Every page of the product, for readers outside the web app: the seeds of the menu, the walk over all pages, tests. */
export const allPages: readonly Page[] = [...pages, ...staffPages]
