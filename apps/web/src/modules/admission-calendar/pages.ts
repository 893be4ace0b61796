import { page } from '#web/shell/page.ts'

export const pages = [
  page('/apps/calendar', 'apps-calendar', {
    access: 'signed-in',
    menu: { order: 140, name: { en: 'Calendar', id: 'Kalender' }, icon: 'calendar-event' },
    load: () => import('./calendar-page.tsx'),
  }),
]
