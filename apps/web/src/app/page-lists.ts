import { i18n } from '#web/shell/language.ts'
import type { PageImport } from '#web/shell/page.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { setPages } from '#web/shell/page-table.ts'
import { pages } from './pages.ts'

setPages(pages, { complete: false })

let arriving: Promise<void> | null = null

/** Loads the staff pages and their titles once; after a failure the next call tries again. */
export function loadStaffPages(): Promise<void> {
  arriving ??= Promise.all([import('./staff-pages.ts'), i18n.loadNamespaces('staff-titles')]).then(
    ([{ staffPages }]) => setPages([...pages, ...staffPages], { complete: true }),
    (error) => {
      arriving = null
      throw error
    },
  )
  return arriving
}

/** Shown at addresses without a loaded page until the staff pages have arrived. */
export const unknownPage: PageImport = async () => {
  await loadStaffPages()
  return { default: PageSkeleton }
}
