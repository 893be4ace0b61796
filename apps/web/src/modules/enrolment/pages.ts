import { page } from '#web/shell/page.ts'

export const pages = [
  page('/pendaftaran/:id/data-mahasiswa', 'pendaftaran-data-mahasiswa', {
    audience: 'applicants',
    access: 'signed-in',
    under: [
      { title: 'pendaftaran', path: '/pendaftaran' },
      { title: 'pendaftaran-detail', path: '/pendaftaran/:id' },
    ],
    load: () => import('./own-enrolment-data-page.tsx'),
  }),
]
