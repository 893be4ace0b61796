import { type Crumb, records, staffPage } from '#web/shell/page.ts'

const marketing: Crumb = { title: 'marketing' }

export const pages = [
  ...records('/event-afiliator', 'event-afiliator', 'event-afiliator', {
    under: [marketing],
    menu: {
      under: 'marketing',
      order: 10,
      name: { en: 'Affiliate events', id: 'Event afiliator' },
      icon: 'calendar-star',
    },
  }),
  staffPage('/event-afiliator/view/:id', 'event-afiliator-view', {
    access: 'event-afiliator-view',
    title: 'detail',
    noun: 'event-afiliator',
    under: [marketing, { title: 'event-afiliator', path: '/event-afiliator' }],
  }),
]
