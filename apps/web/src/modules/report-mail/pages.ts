import { wallAccess } from '#domain/dashboards/cards.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { type Crumb, staffPage } from '#web/shell/page.ts'

const reports: Crumb = { title: 'laporan' }

// Everyone sees their own scheduled mails; the server checks the permission for the report.
export const pages = [
  staffPage('/laporan-kiriman', 'laporan-kiriman', {
    access: 'signed-in',
    under: [reports],
    menu: {
      under: 'reports',
      // Below every report.
      order: (reportSlugs.length + 1) * 10,
      name: { en: 'Scheduled mails', id: 'Kiriman laporan' },
      icon: 'point',
      // All staff roles with reports hold it; applicants get no entry.
      permission: wallAccess,
    },
    load: () => import('./report-mails-page.tsx'),
  }),
  staffPage('/laporan-kiriman/:id', 'laporan-kiriman-view', {
    access: 'signed-in',
    under: [reports, { title: 'laporan-kiriman', path: '/laporan-kiriman' }],
    load: () => import('./report-mail-page.tsx'),
  }),
]
