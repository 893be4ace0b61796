import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/opening/trial', 'settings-opening-trial', {
    access: 'settings-opening-view',
    under: [{ title: 'settings' }],
    menu: {
      under: 'settings',
      order: 12,
      name: { en: 'Try as an applicant', id: 'Coba sebagai pendaftar' },
      icon: 'point',
    },
    load: () => import('./trial-page.tsx'),
  }),
]
