import { type Crumb, staffPage } from '#web/shell/page.ts'

const selections: Crumb = { title: 'seleksi', path: '/seleksi' }
const run: Crumb = { title: 'seleksi-detail', path: '/seleksi/:id' }

export const pages = [
  staffPage('/seleksi', 'seleksi', {
    access: 'seleksi-view',
    menu: { under: 'tests', order: 30, name: { en: 'Selection', id: 'Seleksi' }, icon: 'chart-dots' },
    load: () => import('./selection-page.tsx'),
  }),
  staffPage('/seleksi/create', 'seleksi-create', {
    access: 'seleksi-update',
    under: [selections],
    load: () => import('./rules/create-run-page.tsx'),
  }),
  staffPage('/seleksi/kuota', 'seleksi-kuota-gelombang', {
    access: 'seleksi-view',
    under: [selections],
    load: () => import('./quotas/wave-quotas-page.tsx'),
  }),
  staffPage('/seleksi/kuota/:id', 'seleksi-kuota', {
    access: 'seleksi-view',
    under: [selections],
    load: () => import('./quotas/quota-grid-page.tsx'),
  }),
  staffPage('/seleksi/:id', 'seleksi-detail', {
    access: 'seleksi-view',
    under: [selections],
    load: () => import('./run/run-page.tsx'),
  }),
  staffPage('/seleksi/:id/aturan', 'seleksi-aturan', {
    access: 'seleksi-update',
    under: [selections, run],
    load: () => import('./rules/change-rules-page.tsx'),
  }),
  staffPage('/seleksi/:id/publish', 'seleksi-publish', {
    access: 'seleksi-view',
    under: [selections, run],
    load: () => import('./run/publish-run-page.tsx'),
  }),
]
