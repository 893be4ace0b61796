import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/pindah-prodi', 'pindah-prodi', {
    access: 'pindah-prodi-view',
    menu: {
      order: 40,
      name: { en: 'Change of study programme', id: 'Pindah program studi' },
      icon: 'switch-horizontal',
    },
    load: () => import('./programme-changes-page.tsx'),
  }),
  staffPage('/pindah-prodi/create', 'pindah-prodi-create', {
    access: 'pindah-prodi-update',
    under: [{ title: 'pindah-prodi', path: '/pindah-prodi' }],
    load: () => import('./change-programme-page.tsx'),
  }),
]
