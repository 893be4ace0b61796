import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/bukti-transfer', 'bukti-transfer', {
    access: 'pembayaran-mahasiswa-view',
    menu: { under: 'payments', order: 60, name: { en: 'Proofs of transfer', id: 'Bukti transfer' }, icon: 'receipt' },
    load: () => import('./proofs-page.tsx'),
  }),
]
