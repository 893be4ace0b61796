import { type Crumb, staffPage } from '#web/shell/page.ts'

const opening: Crumb = { title: 'settings-opening', path: '/settings/opening' }

export const pages = [
  staffPage('/settings/opening', 'settings-opening', {
    access: 'settings-opening-view',
    under: [{ title: 'settings' }],
    menu: {
      under: 'settings',
      order: 10,
      name: { en: 'Open registration', id: 'Buka pendaftaran' },
      icon: 'door-enter',
    },
    load: () => import('./opening-page.tsx'),
  }),
  staffPage('/settings/opening/starting-set', 'settings-opening-starting-set', {
    access: 'settings-opening-view',
    under: [{ title: 'settings' }, opening],
    load: () => import('./starting-set-page.tsx'),
  }),
]
