import { type Crumb, records, staffPage } from '#web/shell/page.ts'

const students: Crumb = { title: 'mahasiswa' }
const letters: Crumb = { title: 'surat', path: '/surat' }

export const pages = [
  staffPage('/surat/terbit', 'surat-terbit', {
    access: 'surat-view',
    under: [students, letters],
    load: () => import('./register-page.tsx'),
  }),
  ...records('/surat', 'surat', 'surat', {
    under: [students],
    menu: { under: 'students', order: 60, name: { en: 'Letters', id: 'Surat' }, icon: 'mail-forward' },
    list: () => import('./letters-page.tsx'),
    create: () => import('./letter-kind-page.tsx'),
    edit: () => import('./letter-kind-page.tsx'),
  }),
]
