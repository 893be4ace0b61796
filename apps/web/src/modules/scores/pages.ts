import { type Crumb, staffPage } from '#web/shell/page.ts'

const access = 'import-nilai-cbt-view'
const scores: Crumb = { title: 'import-nilai-cbt', path: '/import-nilai-cbt' }

export const pages = [
  staffPage('/import-nilai-cbt', 'import-nilai-cbt', {
    access,
    menu: { under: 'tests', order: 20, name: { en: 'Import CBT scores', id: 'Impor nilai CBT' }, icon: 'file-import' },
    load: () => import('./scores-page.tsx'),
  }),
  staffPage('/import-nilai-cbt/manual', 'import-nilai-cbt-manual', {
    access,
    under: [scores],
    load: () => import('./score-entry-page.tsx'),
  }),
  staffPage('/import-nilai-cbt/runs', 'import-nilai-cbt-runs', {
    access,
    under: [scores],
    load: () => import('./score-runs-page.tsx'),
  }),
  staffPage('/import-nilai-cbt/runs/:id', 'import-nilai-cbt-runs-view', {
    access,
    under: [scores, { title: 'import-nilai-cbt-runs', path: '/import-nilai-cbt/runs' }],
    load: () => import('./score-run-page.tsx'),
  }),
  staffPage('/import-nilai-cbt/:id', 'import-nilai-cbt-view', {
    access,
    under: [scores],
    load: () => import('./score-import-page.tsx'),
  }),
]
