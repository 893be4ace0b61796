import { type Crumb, records, staffPage } from '#web/shell/page.ts'

const marketing: Crumb = { title: 'marketing' }
const events: Crumb = { title: 'event-afiliator', path: '/event-afiliator' }

export const pages = [
  ...records('/event-afiliator', 'event-afiliator', 'event-afiliator', {
    under: [marketing],
    menu: {
      under: 'marketing',
      order: 10,
      name: { en: 'Affiliate events', id: 'Acara afiliator' },
      icon: 'calendar-star',
    },
    list: () => import('./events-page.tsx'),
    create: () => import('./event-form-page.tsx'),
    edit: () => import('./event-form-page.tsx'),
  }),
  staffPage('/event-afiliator/view/:id', 'event-afiliator-view', {
    access: 'event-afiliator-view',
    title: 'detail',
    noun: 'event-afiliator',
    under: [marketing, events],
    load: () => import('./event-page.tsx'),
  }),
  staffPage('/event-afiliator/view/:id/check-in', 'event-afiliator-check-in', {
    access: 'event-afiliator-view',
    sendsLater: true,
    under: [marketing, events],
    load: () => import('#web/modules/events/door/check-in-page.tsx'),
  }),
]
