import { type Crumb, records, staffPage } from '#web/shell/page.ts'

const students: Crumb = { title: 'mahasiswa' }
const letters: Crumb = { title: 'surat', path: '/surat' }

const batches: Crumb = { title: 'surat-massal', path: '/surat/massal' }

export const pages = [
  staffPage('/surat/tanda-tangan', 'surat-tanda-tangan', {
    access: 'surat-view',
    under: [students, letters],
    load: () => import('./signing-page.tsx'),
  }),
  staffPage('/surat/massal', 'surat-massal', {
    access: 'surat-view',
    under: [students, letters],
    load: () => import('./batches/batches-page.tsx'),
  }),
  staffPage('/surat/massal/create', 'surat-massal-create', {
    access: 'surat-create',
    under: [students, letters, batches],
    load: () => import('./batches/start-batch-page.tsx'),
  }),
  staffPage('/surat/massal/:id', 'surat-massal-detail', {
    access: 'surat-view',
    under: [students, letters, batches],
    load: () => import('./batches/batch-page.tsx'),
  }),
  staffPage('/surat/terbit', 'surat-terbit', {
    access: 'surat-view',
    under: [students, letters],
    load: () => import('./register-page.tsx'),
  }),
  ...records('/surat', 'surat', 'surat', {
    under: [students],
    menu: { under: 'students', order: 70, name: { en: 'Letters', id: 'Surat' }, icon: 'mail-forward' },
    list: () => import('./letters-page.tsx'),
    create: () => import('./letter-kind-page.tsx'),
    edit: () => import('./letter-kind-page.tsx'),
  }),
]
