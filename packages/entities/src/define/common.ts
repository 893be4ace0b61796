import { code, multiline, text } from './field.ts'

export const codeField = (max = 20) =>
  code({
    label: { en: 'Code', id: 'Kode' },
    max,
    pattern: {
      source: '^[A-Za-z0-9][A-Za-z0-9 ._/-]*$',
      label: {
        en: 'Letters, digits, dot, dash, slash and underscore; begins with a letter or digit',
        id: 'Huruf, angka, titik, strip, garis miring, dan garis bawah; diawali huruf atau angka',
      },
    },
  })

export const nameField = (max = 120) => text({ label: { en: 'Name', id: 'Nama' }, max, list: true })

export const nameEnField = (max = 120) =>
  text({ label: { en: 'Name in English', id: 'Nama dalam bahasa Inggris' }, max, optional: true, searchable: false })

export const descriptionField = () =>
  multiline({ label: { en: 'Description', id: 'Keterangan' }, max: 2000, optional: true })

export const descriptionEnField = () =>
  multiline({
    label: { en: 'Description in English', id: 'Keterangan dalam bahasa Inggris' },
    max: 2000,
    optional: true,
  })
