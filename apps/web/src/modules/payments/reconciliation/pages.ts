import { type Crumb, staffPage } from '#web/shell/page.ts'

const reconciliation: Crumb = { title: 'rekonsiliasi', path: '/rekonsiliasi' }

export const pages = [
  staffPage('/rekonsiliasi', 'rekonsiliasi', {
    access: 'rekonsiliasi-view',
    menu: {
      under: 'payments',
      order: 40,
      name: { en: 'Reconciliation', id: 'Rekonsiliasi' },
      icon: 'switch-horizontal',
    },
    load: () => import('./reconciliation-page.tsx'),
  }),
  staffPage('/rekonsiliasi/mutasi', 'rekonsiliasi-mutasi', {
    access: 'rekonsiliasi-view',
    under: [reconciliation],
    load: () => import('./lines-page.tsx'),
  }),
  staffPage('/rekonsiliasi/impor', 'rekonsiliasi-impor', {
    access: 'rekonsiliasi-view',
    under: [reconciliation],
    load: () => import('./statements-page.tsx'),
  }),
  staffPage('/rekonsiliasi/:id', 'rekonsiliasi-hari', {
    access: 'rekonsiliasi-view',
    under: [reconciliation],
    load: () => import('./day-page.tsx'),
  }),
]
