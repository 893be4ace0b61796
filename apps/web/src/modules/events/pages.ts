import { page } from '#web/shell/page.ts'

export const pages = [
  page('/acara', 'acara', { layout: 'public', access: 'public', load: () => import('./open-events-page.tsx') }),
  page('/acara/:slug', 'acara-view', {
    layout: 'public',
    access: 'public',
    load: () => import('./open-event-page.tsx'),
  }),
  page('/tiket/:code', 'tiket', { layout: 'public', access: 'public', load: () => import('./ticket-page.tsx') }),
]
