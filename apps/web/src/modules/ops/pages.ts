import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/invariants', 'settings-invariants', {
    access: 'ops-invariants',
    under: [{ title: 'settings' }],
    menu: {
      under: 'settings',
      order: 130,
      name: { en: 'Check of the books', id: 'Pemeriksaan pembukuan' },
      icon: 'point',
    },
    load: () => import('./invariants-page.tsx'),
  }),
]
