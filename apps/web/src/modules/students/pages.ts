import type { MenuEntry } from '#domain/access/menus.ts'
import { type Crumb, type PageImport, page, records, staffPage } from '#web/shell/page.ts'

const students: Crumb = { title: 'mahasiswa' }

/** A list and one record of it, changed with `{prefix}-update`. */
const file = (prefix: string, menu: MenuEntry, load: { list?: PageImport; edit?: PageImport } = {}) => [
  staffPage(`/${prefix}`, prefix, { access: `${prefix}-view`, under: [students], menu, load: load.list }),
  staffPage(`/${prefix}/:id`, `${prefix}-edit`, {
    access: `${prefix}-update`,
    title: 'detail',
    noun: prefix,
    under: [students, { title: prefix, path: `/${prefix}` }],
    load: load.edit,
  }),
]

export const pages = [
  staffPage('/berkas-mahasiswa/:id/data', 'berkas-mahasiswa-data', {
    access: 'berkas-mahasiswa-update',
    under: [students, { title: 'berkas-mahasiswa', path: '/berkas-mahasiswa' }],
    load: () => import('./files/correct-enrolment-data-page.tsx'),
  }),
  ...file(
    'berkas-mahasiswa',
    { under: 'students', order: 10, name: { en: 'Documents', id: 'Berkas mahasiswa' }, icon: 'files' },
    {
      list: () => import('./files/student-files-page.tsx'),
      edit: () => import('./files/student-file-page.tsx'),
    },
  ),
  ...file('sim-mahasiswa', {
    under: 'students',
    order: 20,
    name: { en: 'Driving licences', id: 'SIM mahasiswa' },
    icon: 'id',
  }),
  staffPage('/download-foto-mahasiswa', 'download-foto-mahasiswa', {
    access: 'download-foto-mahasiswa',
    under: [students],
    menu: { under: 'students', order: 30, name: { en: 'Download photos', id: 'Unduh foto' }, icon: 'photo-down' },
  }),
  staffPage('/npm-mahasiswa', 'npm-mahasiswa', {
    access: 'npm-mahasiswa-view',
    under: [students],
    menu: { under: 'students', order: 40, name: { en: 'Student numbers', id: 'NPM mahasiswa' }, icon: 'hash' },
    load: () => import('./students-page.tsx'),
  }),
  staffPage('/npm-mahasiswa/unused', 'npm-mahasiswa-unused', {
    access: 'npm-mahasiswa-view',
    under: [students, { title: 'npm-mahasiswa', path: '/npm-mahasiswa' }],
    load: () => import('./unused-numbers-page.tsx'),
  }),
  staffPage('/npm-mahasiswa/:id', 'npm-mahasiswa-edit', {
    access: 'npm-mahasiswa-update',
    title: 'detail',
    noun: 'npm-mahasiswa',
    under: [students, { title: 'npm-mahasiswa', path: '/npm-mahasiswa' }],
    load: () => import('./student-page.tsx'),
  }),
  page('/verifikasi-mahasiswa/:code', 'verifikasi-mahasiswa', {
    layout: 'public',
    access: 'public',
    load: () => import('./verify-student-card-page.tsx'),
  }),
  ...records('/jaket-mahasiswa', 'jaket-mahasiswa', 'jaket-mahasiswa', {
    under: [students],
    menu: { under: 'students', order: 50, name: { en: 'Jackets', id: 'Jaket almamater' }, icon: 'shirt' },
  }),
]
