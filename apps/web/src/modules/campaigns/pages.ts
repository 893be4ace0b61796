import { type Crumb, staffPage } from '#web/shell/page.ts'

const messages: Crumb = { title: 'kirim-informasi' }

export const pages = [
  staffPage('/kirim-informasi/pendaftaran', 'kirim-informasi-pendaftaran', {
    access: 'kirim-informasi-view',
    under: [messages],
    menu: { under: 'messages', order: 10, name: { en: 'To registrations', id: 'Ke pendaftar' }, icon: 'mail-forward' },
  }),
  staffPage('/kirim-informasi/file-excel', 'kirim-informasi-file-excel', {
    access: 'kirim-informasi-file-excel',
    under: [messages],
    menu: {
      under: 'messages',
      order: 20,
      name: { en: 'From an Excel file', id: 'Dari berkas Excel' },
      icon: 'file-spreadsheet',
    },
  }),
  staffPage('/marketing/kirim-informasi', 'marketing-kirim-informasi', {
    access: 'marketing-kirim-informasi-view',
    under: [{ title: 'marketing' }],
    menu: {
      under: 'marketing',
      order: 30,
      name: { en: 'Send information', id: 'Kirim informasi' },
      icon: 'mail-share',
    },
  }),
]
