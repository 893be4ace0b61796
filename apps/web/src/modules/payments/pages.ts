import { page } from '#web/shell/page.ts'

/** Payment pages for everyone; the folders below declare the staff pages. */
export const pages = [
  page('/pendaftaran/voucher/:id', 'pendaftaran-voucher', {
    access: 'pendaftaran-voucher',
    under: [{ title: 'pendaftaran', path: '/pendaftaran' }],
    load: () => import('./bills/voucher-page.tsx'),
  }),
  page('/verifikasi-kuitansi/:code', 'verifikasi-kuitansi', {
    layout: 'public',
    access: 'public',
    load: () => import('./money/receipt-check-page.tsx'),
  }),
  page('/sandbox-bank/:number?', 'sandbox-bank', {
    layout: 'public',
    access: 'public',
    load: () => import('./banks/sandbox/sandbox-bank-page.tsx'),
  }),
]
