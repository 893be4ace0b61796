import type { PageImport } from '#web/shell/page.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { setPages } from '#web/shell/page-table.ts'
import { pages } from './pages.ts'

setPages(pages, { complete: false })

let arriving: Promise<void> | null = null

/** Loads the pages of staff once; after a failure the next call tries again. */
export function loadStaffPages(): Promise<void> {
  arriving ??= import('./staff-pages.ts').then(
    ({ staffPages }) => setPages([...pages, ...staffPages], { complete: true }),
    (error) => {
      arriving = null
      throw error
    },
  )
  return arriving
}

/** Stands at an address no loaded page has, until the pages of staff have arrived. */
export const unknownPage: PageImport = async () => {
  await loadStaffPages()
  return { default: PageSkeleton }
}
