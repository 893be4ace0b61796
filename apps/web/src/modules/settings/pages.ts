import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/general', 'settings-general', {
    access: 'settings-general-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 80, name: { en: 'General', id: 'Umum' }, icon: 'point' },
    load: () => import('./general-settings-page.tsx'),
  }),
]
