import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/settings/opening/trial', 'settings-opening-trial', {
    access: 'settings-opening-view',
    under: [{ title: 'settings' }, { title: 'settings-opening', path: '/settings/opening' }],
    load: () => import('./trial-page.tsx'),
  }),
]
