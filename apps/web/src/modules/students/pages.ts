import { type Crumb, staffPage } from '#web/shell/page.ts'

const students: Crumb = { title: 'mahasiswa' }
const files: Crumb = { title: 'berkas-mahasiswa', path: '/berkas-mahasiswa' }
const licences: Crumb = { title: 'sim-mahasiswa', path: '/sim-mahasiswa' }
const numbers: Crumb = { title: 'npm-mahasiswa', path: '/npm-mahasiswa' }
const feeder: Crumb = { title: 'mahasiswa-feeder', path: '/mahasiswa-feeder' }
const jackets: Crumb = { title: 'jaket-mahasiswa', path: '/jaket-mahasiswa' }

export const pages = [
  staffPage('/berkas-mahasiswa', 'berkas-mahasiswa', {
    access: 'berkas-mahasiswa-view',
    under: [students],
    menu: { under: 'students', order: 10, name: { en: 'Documents', id: 'Berkas mahasiswa' }, icon: 'files' },
    load: () => import('./files/student-files-page.tsx'),
  }),
  staffPage('/berkas-mahasiswa/:id', 'berkas-mahasiswa-edit', {
    access: 'berkas-mahasiswa-update',
    title: 'detail',
    noun: 'berkas-mahasiswa',
    under: [students, files],
    load: () => import('./files/student-file-page.tsx'),
  }),
  staffPage('/berkas-mahasiswa/:id/data', 'berkas-mahasiswa-data', {
    access: 'berkas-mahasiswa-update',
    under: [students, files],
    load: () => import('./files/correct-enrolment-data-page.tsx'),
  }),
  staffPage('/sim-mahasiswa', 'sim-mahasiswa', {
    access: 'sim-mahasiswa-view',
    under: [students],
    menu: { under: 'students', order: 20, name: { en: 'Driving licences', id: 'SIM mahasiswa' }, icon: 'id' },
    load: () => import('./licences/licences-page.tsx'),
  }),
  staffPage('/sim-mahasiswa/:id', 'sim-mahasiswa-edit', {
    access: 'sim-mahasiswa-update',
    title: 'detail',
    noun: 'sim-mahasiswa',
    under: [students, licences],
    load: () => import('./licences/licence-page.tsx'),
  }),
  staffPage('/download-foto-mahasiswa', 'download-foto-mahasiswa', {
    access: 'download-foto-mahasiswa',
    under: [students],
    menu: { under: 'students', order: 30, name: { en: 'Download photos', id: 'Unduh foto' }, icon: 'photo-down' },
    load: () => import('./photos/photos-page.tsx'),
  }),
  staffPage('/npm-mahasiswa', 'npm-mahasiswa', {
    access: 'npm-mahasiswa-view',
    under: [students],
    menu: { under: 'students', order: 40, name: { en: 'Student numbers', id: 'NPM mahasiswa' }, icon: 'hash' },
    load: () => import('./students-page.tsx'),
  }),
  staffPage('/npm-mahasiswa/unused', 'npm-mahasiswa-unused', {
    access: 'npm-mahasiswa-view',
    under: [students, numbers],
    load: () => import('./unused-numbers-page.tsx'),
  }),
  staffPage('/npm-mahasiswa/campus', 'npm-mahasiswa-campus', {
    access: 'npm-mahasiswa-view',
    under: [students, numbers],
    load: () => import('./campus/campus-csv-page.tsx'),
  }),
  staffPage('/settings/campus', 'settings-campus', {
    access: 'settings-campus-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 150, name: { en: 'Campus system', id: 'Sistem kampus' }, icon: 'point' },
    load: () => import('./campus/campus-tokens-page.tsx'),
  }),
  staffPage('/settings/campus/:id', 'settings-campus-view', {
    access: 'settings-campus-view',
    under: [{ title: 'settings' }, { title: 'settings-campus', path: '/settings/campus' }],
    load: () => import('./campus/campus-token-page.tsx'),
  }),
  staffPage('/npm-mahasiswa/:id', 'npm-mahasiswa-edit', {
    access: 'npm-mahasiswa-update',
    title: 'detail',
    noun: 'npm-mahasiswa',
    under: [students, numbers],
    load: () => import('./student-page.tsx'),
  }),
  staffPage('/mahasiswa-feeder', 'mahasiswa-feeder', {
    access: 'mahasiswa-feeder-view',
    under: [students],
    menu: { under: 'students', order: 50, name: { en: 'Neo Feeder', id: 'Neo Feeder' }, icon: 'send' },
    load: () => import('./feeder/feeder-page.tsx'),
  }),
  staffPage('/mahasiswa-feeder/log', 'mahasiswa-feeder-log', {
    access: 'mahasiswa-feeder-view',
    under: [students, feeder],
    load: () => import('./feeder/feeder-log-page.tsx'),
  }),
  staffPage('/mahasiswa-feeder/:registrationId', 'mahasiswa-feeder-view', {
    access: 'mahasiswa-feeder-view',
    title: 'detail',
    noun: 'mahasiswa-feeder',
    under: [students, feeder],
    load: () => import('./feeder/feeder-student-page.tsx'),
  }),
  staffPage('/settings/feeder', 'settings-feeder', {
    access: 'settings-feeder-view',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 160, name: { en: 'Neo Feeder', id: 'Neo Feeder' }, icon: 'point' },
    load: () => import('./feeder/feeder-settings-page.tsx'),
  }),
  staffPage('/jaket-mahasiswa', 'jaket-mahasiswa', {
    access: 'jaket-mahasiswa-view',
    under: [students],
    menu: { under: 'students', order: 60, name: { en: 'Jackets', id: 'Jaket almamater' }, icon: 'shirt' },
    load: () => import('./jackets/jackets-page.tsx'),
  }),
  staffPage('/jaket-mahasiswa/create', 'jaket-mahasiswa-create', {
    access: 'jaket-mahasiswa-create',
    under: [students, jackets],
    load: () => import('./jackets/hand-out-page.tsx'),
  }),
  staffPage('/jaket-mahasiswa/stok', 'jaket-mahasiswa-stock', {
    access: 'jaket-mahasiswa-view',
    under: [students, jackets],
    load: () => import('./jackets/stock-page.tsx'),
  }),
  staffPage('/jaket-mahasiswa/:id', 'jaket-mahasiswa-edit', {
    access: 'jaket-mahasiswa-update',
    title: 'detail',
    noun: 'jaket-mahasiswa',
    under: [students, jackets],
    load: () => import('./jackets/jacket-page.tsx'),
  }),
]
