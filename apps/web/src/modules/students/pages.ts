import type { MenuEntry } from '#domain/access/menus.ts'
import { type Crumb, staffPage } from '#web/shell/page.ts'

const students: Crumb = { title: 'mahasiswa' }
const jackets: Crumb = { title: 'jaket-mahasiswa', path: '/jaket-mahasiswa' }

/** A list and one record of it, changed with `{prefix}-update`. */
const file = (prefix: string, menu: MenuEntry) => [
  staffPage(`/${prefix}`, prefix, { access: `${prefix}-view`, under: [students], menu }),
  staffPage(`/${prefix}/:id`, `${prefix}-edit`, {
    access: `${prefix}-update`,
    title: 'detail',
    noun: prefix,
    under: [students, { title: prefix, path: `/${prefix}` }],
  }),
]

export const pages = [
  ...file('berkas-mahasiswa', {
    under: 'students',
    order: 10,
    name: { en: 'Documents', id: 'Berkas mahasiswa' },
    icon: 'files',
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
    under: [students, { title: 'sim-mahasiswa', path: '/sim-mahasiswa' }],
    load: () => import('./licences/licence-page.tsx'),
  }),
  staffPage('/download-foto-mahasiswa', 'download-foto-mahasiswa', {
    access: 'download-foto-mahasiswa',
    under: [students],
    menu: { under: 'students', order: 30, name: { en: 'Download photos', id: 'Unduh foto' }, icon: 'photo-down' },
    load: () => import('./photos/photos-page.tsx'),
  }),
  ...file('npm-mahasiswa', {
    under: 'students',
    order: 40,
    name: { en: 'Student numbers', id: 'NPM mahasiswa' },
    icon: 'hash',
  }),
  staffPage('/jaket-mahasiswa', 'jaket-mahasiswa', {
    access: 'jaket-mahasiswa-view',
    under: [students],
    menu: { under: 'students', order: 50, name: { en: 'Jackets', id: 'Jaket almamater' }, icon: 'shirt' },
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
