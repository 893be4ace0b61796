import { records, staffPage } from '#web/shell/page.ts'

export const pages = [
  ...records('/settings/whatsapp', 'settings-whatsapp', 'whatsapp', {
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 60, name: { en: 'WhatsApp', id: 'WhatsApp' }, icon: 'point' },
    list: () => import('./whatsapp-connections-page.tsx'),
    create: () => import('./whatsapp-form-page.tsx'),
    edit: () => import('./whatsapp-form-page.tsx'),
  }),
  staffPage('/settings/whatsapp/:id/view', 'settings-whatsapp-connect', {
    access: 'settings-whatsapp-view',
    under: [{ title: 'settings' }, { title: 'settings-whatsapp', path: '/settings/whatsapp' }],
    load: () => import('./whatsapp-view-page.tsx'),
  }),
]
