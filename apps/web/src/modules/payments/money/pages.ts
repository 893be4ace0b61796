import { records, staffPage } from '#web/shell/page.ts'

export const pages = [
  ...records('/pembayaran-mahasiswa', 'pembayaran-mahasiswa', 'pembayaran-mahasiswa', {
    menu: {
      under: 'payments',
      order: 10,
      name: { en: 'Student payments', id: 'Pembayaran mahasiswa' },
      icon: 'receipt',
    },
    list: () => import('./staff-payments-page.tsx'),
    create: () => import('./enter/enter-payment-page.tsx'),
    edit: () => import('./payment-detail-page.tsx'),
  }),
  staffPage('/pembayaran-mahasiswa/tagihan/:id', 'tagihan-mahasiswa', {
    access: 'pembayaran-mahasiswa-view',
    under: [{ title: 'pembayaran-mahasiswa', path: '/pembayaran-mahasiswa' }],
    load: () => import('./bill-page.tsx'),
  }),
  staffPage('/uang-menunggu', 'uang-menunggu', {
    access: 'pembayaran-mahasiswa-view',
    menu: { under: 'payments', order: 20, name: { en: 'Unallocated money', id: 'Uang menunggu' }, icon: 'coins' },
    load: () => import('./waiting/waiting-page.tsx'),
  }),
]
