import { getEntity } from '#entities/index.ts'
import { type PageImport, staffPage } from '#web/shell/page.ts'

const quality = (part: string, load: PageImport) =>
  staffPage(`/master/sma-nama/${part}`, `master-sma-nama-${part}`, {
    access: 'master-sma-nama-view',
    under: [{ title: 'master' }, { title: getEntity('sma-nama').label.many, path: '/master/sma-nama' }],
    load,
  })

/** Pages besides the list of schools, which is declared with the master data. */
export const pages = [
  quality('proposals', () => import('./proposals-page.tsx')),
  quality('duplicates', () => import('./duplicates-page.tsx')),
  quality('merges', () => import('./merges-page.tsx')),
]
