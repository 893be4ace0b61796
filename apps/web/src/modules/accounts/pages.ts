import { type Crumb, type PageImport, page } from '#web/shell/page.ts'

const entrance = (path: string, name: string, load: PageImport) =>
  page(path, name, { layout: 'auth', access: 'public', load })
const ownAccount: Crumb = { title: 'account', path: '/account/overview' }

export const pages = [
  entrance('/sign-in', 'sign-in', () => import('./sign-in-page.tsx')),
  entrance('/sign-in-google', 'sign-in-google', () => import('./google-page.tsx')),
  entrance('/sign-up', 'sign-up', () => import('./sign-up/sign-up-page.tsx')),
  entrance('/multi-step-sign-up', 'multi-step-sign-up', () => import('./sign-up/multi-step-sign-up-page.tsx')),
  entrance('/password-reset', 'password-reset', () => import('./password-reset-page.tsx')),
  entrance('/password-reset/:token', 'password-reset-submit', () => import('./password-reset-submit-page.tsx')),
  entrance('/invitation/:token', 'invitation', () => import('./invitation-page.tsx')),
  entrance('/setup/:secret', 'setup', () => import('./setup-page.tsx')),
  entrance('/confirm-email/:token', 'confirm-email', () => import('./confirm-email-page.tsx')),
  page('/verify-email', 'verify-email', {
    layout: 'auth',
    access: 'signed-in',
    load: () => import('./verify-email-page.tsx'),
  }),
  page('/verify-email/:id', 'verify-email-proccess', {
    layout: 'auth',
    access: 'signed-in',
    load: () => import('./verify-email-link-page.tsx'),
  }),
  page('/account/totp', 'account-totp', {
    layout: 'auth',
    access: 'signed-in',
    load: () => import('./settings/totp-page.tsx'),
  }),
  page('/account/settings', 'account-settings', {
    access: 'signed-in',
    under: [ownAccount],
    load: () => import('./settings/account-settings-page.tsx'),
  }),
]
