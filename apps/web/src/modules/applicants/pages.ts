import { type Crumb, page } from '#web/shell/page.ts'

const ownAccount: Crumb = { title: 'account', path: '/account/overview' }

export const pages = [
  page('/account/overview', 'account-overview', {
    audience: 'applicants',
    access: 'signed-in',
    under: [{ title: 'account' }],
    load: () => import('./account-overview-page.tsx'),
  }),
  page('/account/sim', 'account-sim', {
    audience: 'applicants',
    access: 'signed-in',
    under: [ownAccount],
    load: () => import('./driving-licence-page.tsx'),
  }),
  page('/account/pendidikan-terakhir', 'account-pendidikan-terakhir', {
    audience: 'applicants',
    access: 'signed-in',
    under: [ownAccount],
    load: () => import('./last-education-page.tsx'),
  }),
  page('/account/kuesioner', 'account-kuesioner', {
    audience: 'applicants',
    access: 'signed-in',
    under: [ownAccount],
    load: () => import('./questionnaire-page.tsx'),
  }),
]
