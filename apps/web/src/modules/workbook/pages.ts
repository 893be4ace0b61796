import { type Crumb, staffPage } from '#web/shell/page.ts'

const opening: Crumb = { title: 'settings-opening', path: '/settings/opening' }

export const pages = [
  staffPage('/settings/opening/workbook', 'settings-opening-workbook', {
    access: 'settings-opening-view',
    under: [{ title: 'settings' }, opening],
    load: () => import('./workbook-page.tsx'),
  }),
  staffPage('/settings/opening/workbook/:id', 'settings-opening-workbook-view', {
    access: 'settings-opening-view',
    under: [{ title: 'settings' }, opening, { title: 'settings-opening-workbook', path: '/settings/opening/workbook' }],
    load: () => import('./workbook-import-page.tsx'),
  }),
]
