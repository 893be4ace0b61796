import { page } from '#web/shell/page.ts'

export const pages = [
  page('/404', '404', { layout: 'public', access: 'public', load: () => import('./not-found-page.tsx') }),
  page('/500', '500', { layout: 'public', access: 'public', load: () => import('./server-error-page.tsx') }),
]
