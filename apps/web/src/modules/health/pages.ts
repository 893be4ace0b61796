import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/health', 'settings-health', {
    access: 'settings-health-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 140, name: { en: 'Health', id: 'Kesehatan sistem' }, icon: 'point' },
    load: () => import('./health-page.tsx'),
  }),
]
