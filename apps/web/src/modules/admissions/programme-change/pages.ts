import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/pindah-prodi/requests', 'pindah-prodi-requests', {
    access: 'pindah-prodi-view',
    under: [{ title: 'pindah-prodi', path: '/pindah-prodi' }],
    load: () => import('./requests-page.tsx'),
  }),
  staffPage('/pindah-prodi/create', 'pindah-prodi-create', {
    access: 'pindah-prodi-update',
    under: [{ title: 'pindah-prodi', path: '/pindah-prodi' }],
    load: () => import('./change-programme-page.tsx'),
  }),
]
