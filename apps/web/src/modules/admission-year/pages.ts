import { getEntity } from '#entities/index.ts'
import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/master/periode/new-year', 'master-periode-new-year', {
    access: 'master-periode-create',
    under: [{ title: 'master' }, { title: getEntity('periode').label.many, path: '/master/periode' }],
    load: () => import('./new-year-page.tsx'),
  }),
]
