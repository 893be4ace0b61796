import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/imports', 'settings-imports', {
    access: 'settings-imports-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 100, name: { en: 'Imports', id: 'Impor' }, icon: 'point' },
    load: () => import('./imports-page.tsx'),
  }),
  // Users may see their own imports; the server checks the permission for the entity.
  staffPage('/settings/imports/:id', 'settings-imports-view', {
    access: 'signed-in',
    under: [{ title: 'settings' }, { title: 'settings-imports', path: '/settings/imports' }],
    load: () => import('./import-page.tsx'),
  }),
  staffPage('/settings/exports', 'settings-exports', {
    access: 'audit-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 110, name: { en: 'Exports', id: 'Ekspor' }, icon: 'point' },
    load: () => import('./exports-page.tsx'),
  }),
]
