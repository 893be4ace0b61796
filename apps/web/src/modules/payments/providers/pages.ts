import { records, staffPage } from '#web/shell/page.ts'

export const pages = [
  ...records('/settings/providers', 'settings-providers', 'providers', {
    under: [{ title: 'settings' }],
    menu: {
      under: 'settings',
      order: 70,
      name: { en: 'Banks and gateways', id: 'Bank dan payment gateway' },
      icon: 'point',
    },
    list: () => import('./providers-page.tsx'),
    create: () => import('./provider-form-page.tsx'),
    edit: () => import('./provider-form-page.tsx'),
  }),
  staffPage('/settings/providers/:id/view', 'settings-providers-view', {
    access: 'settings-providers-view',
    under: [{ title: 'settings' }, { title: 'settings-providers', path: '/settings/providers' }],
    load: () => import('./provider-view-page.tsx'),
  }),
]
