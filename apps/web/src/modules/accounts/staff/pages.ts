import { records } from '#web/shell/page.ts'

export const pages = records('/settings/accounts', 'settings-accounts', 'accounts', {
  under: [{ title: 'settings' }],
  menu: { under: 'settings', order: 30, name: { en: 'Accounts', id: 'Akun' }, icon: 'point' },
  list: () => import('./accounts-page.tsx'),
  create: () => import('./invite-page.tsx'),
  edit: () => import('./account-page.tsx'),
})
