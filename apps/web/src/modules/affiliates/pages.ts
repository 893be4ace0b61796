import { page } from '#web/shell/page.ts'

export const pages = [
  page('/afiliator', 'afiliator', {
    layout: 'public',
    access: 'public',
    load: () => import('./affiliates-page.tsx'),
  }),
  page('/afiliator/:id', 'afiliator-view', {
    layout: 'public',
    access: 'public',
    load: () => import('./affiliate-page.tsx'),
  }),
  page('/afiliator-saya', 'afiliator-saya', {
    access: 'afiliator-saya',
    menu: { order: 150, name: { en: 'Affiliate', id: 'Afiliator' }, icon: 'users' },
    load: () => import('./own-page.tsx'),
  }),
]
