import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/seleksi/reserve', 'seleksi-reserve', {
    access: 'seleksi-view',
    menu: { under: 'tests', order: 40, name: { en: 'Reserve lists', id: 'Daftar cadangan' }, icon: 'users-group' },
    load: () => import('./reserve-page.tsx'),
  }),
]
