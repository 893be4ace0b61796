import { type Crumb, staffPage } from '#web/shell/page.ts'

const numbers: Crumb = { title: 'transaksi-va', path: '/transaksi-va' }

export const pages = [
  staffPage('/transaksi-va', 'transaksi-va', {
    access: 'transaksi-va-view',
    menu: { under: 'payments', order: 50, name: { en: 'Virtual accounts', id: 'Transaksi VA' }, icon: 'credit-card' },
    load: () => import('./virtual-accounts-page.tsx'),
  }),
  staffPage('/transaksi-va/create', 'transaksi-va-create', {
    access: 'transaksi-va-create',
    title: 'create',
    noun: 'transaksi-va',
    under: [numbers],
    load: () => import('./virtual-account-create-page.tsx'),
  }),
  // Opening a number requires the list's permission; each button on its page requires its own.
  staffPage('/transaksi-va/:id', 'transaksi-va-edit', {
    access: 'transaksi-va-view',
    title: 'detail',
    noun: 'transaksi-va',
    under: [numbers],
    load: () => import('./virtual-account-page.tsx'),
  }),
]
