import { type Crumb, page } from '#web/shell/page.ts'

const registrations: Crumb = { title: 'pendaftaran', path: '/pendaftaran' }
const registration: Crumb = { title: 'pendaftaran-detail', path: '/pendaftaran/:id' }

export const pages = [
  page('/dashboard', 'dashboard', {
    access: 'signed-in',
    breadcrumbs: [],
    menu: { order: 10, name: { en: 'Dashboard', id: 'Dasbor' }, icon: 'layout-dashboard' },
    load: () => import('./dashboard/dashboard-page.tsx'),
  }),
  page('/pendaftaran', 'pendaftaran', {
    access: 'pendaftaran-view',
    menu: { order: 20, name: { en: 'Registrations', id: 'Pendaftaran' }, icon: 'clipboard-list' },
    load: () => import('./pendaftaran-page.tsx'),
  }),
  page('/pendaftaran/create', 'pendaftaran-create', {
    access: 'pendaftaran-create',
    under: [registrations],
    load: () => import('./apply/create-registration-page.tsx'),
  }),
  page('/pendaftaran/:id', 'pendaftaran-detail', {
    access: 'pendaftaran-view',
    under: [registrations],
    load: () => import('./registration/registration-page.tsx'),
  }),
  page('/pendaftaran/:id/program', 'pendaftaran-program', {
    access: 'pendaftaran-view',
    under: [registrations, registration],
    load: () => import('./registration/registration-program-page.tsx'),
  }),
  page('/pendaftaran/:id/pembayaran', 'pendaftaran-pembayaran', {
    access: 'pendaftaran-view',
    under: [registrations, registration],
    load: () => import('./registration/registration-payment-page.tsx'),
  }),
  page('/pendaftaran/:id/file', 'pendaftaran-file', {
    access: 'pendaftaran-view',
    under: [registrations, registration],
    load: () => import('./registration/registration-file-page.tsx'),
  }),
  page('/master/prodi/:id/program/:idDetail', 'pendaftaran-program-edit', {
    access: 'pendaftaran-edit',
    under: [registrations],
    load: () => import('./apply/edit-programme-page.tsx'),
  }),
  page('/konfirmasi-kelulusan', 'konfirmasi-kelulusan', {
    access: 'konfirmasi-kelulusan-view',
    menu: { order: 30, name: { en: 'Confirmation of admission', id: 'Konfirmasi kesediaan' }, icon: 'circle-check' },
    load: () => import('./konfirmasi-kelulusan-page.tsx'),
  }),
  page('/pindah-prodi', 'pindah-prodi', {
    access: 'pindah-prodi-view',
    menu: {
      order: 40,
      name: { en: 'Change of study programme', id: 'Pindah prodi' },
      icon: 'switch-horizontal',
    },
    load: () => import('./pindah-prodi-page.tsx'),
  }),
]
