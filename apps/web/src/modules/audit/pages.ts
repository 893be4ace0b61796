import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/audit', 'settings-audit', {
    access: 'audit-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 120, name: { en: 'Audit log', id: 'Log audit' }, icon: 'point' },
    load: () => import('./audit-page.tsx'),
  }),
]
