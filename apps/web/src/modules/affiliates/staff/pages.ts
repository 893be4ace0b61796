import { type Crumb, staffPage } from '#web/shell/page.ts'

const marketing: Crumb = { title: 'marketing' }
const commission: Crumb = { title: 'komisi', path: '/komisi' }
const payouts: Crumb = { title: 'komisi-pencairan', path: '/komisi/pencairan' }
const under = [marketing, commission]

export const pages = [
  staffPage('/komisi', 'komisi', {
    access: 'komisi-view',
    under: [marketing],
    menu: { under: 'marketing', order: 40, name: { en: 'Commission', id: 'Komisi' }, icon: 'coins' },
    load: () => import('./ledger-page.tsx'),
  }),
  staffPage('/komisi/saldo', 'komisi-saldo', {
    access: 'komisi-view',
    under,
    load: () => import('./balances-page.tsx'),
  }),
  staffPage('/komisi/ditahan', 'komisi-ditahan', {
    access: 'komisi-view',
    under,
    load: () => import('./holds-page.tsx'),
  }),
  staffPage('/komisi/aturan', 'komisi-aturan', {
    access: 'komisi-view',
    under,
    load: () => import('./rules-page.tsx'),
  }),
  staffPage('/komisi/permohonan', 'komisi-permohonan', {
    access: 'komisi-view',
    under,
    load: () => import('./applications-page.tsx'),
  }),
  staffPage('/komisi/pencairan', 'komisi-pencairan', {
    access: 'komisi-view',
    under,
    load: () => import('./payouts-page.tsx'),
  }),
  staffPage('/komisi/pencairan/:id', 'komisi-pencairan-detail', {
    access: 'komisi-view',
    under: [...under, payouts],
    load: () => import('./payout-page.tsx'),
  }),
]
