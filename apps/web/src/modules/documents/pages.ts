import { page } from '#web/shell/page.ts'

export const pages = [
  page('/account/berkas', 'account-berkas', {
    audience: 'applicants',
    access: 'signed-in',
    under: [{ title: 'account', path: '/account/overview' }],
    load: () => import('./account-documents-page.tsx'),
  }),
  page('/master/prodi/:id/file/:idDetail', 'pendaftaran-file-edit', {
    access: 'pendaftaran-edit',
    under: [{ title: 'pendaftaran', path: '/pendaftaran' }],
    load: () => import('./registration-files-page.tsx'),
  }),
]
