import { records, staffPage } from '#web/shell/page.ts'

export const pages = [
  ...records('/jadwal-test', 'jadwal-test', 'jadwal-test', {
    menu: { under: 'tests', order: 10, name: { en: 'Test schedule', id: 'Jadwal tes' }, icon: 'calendar-event' },
    list: () => import('./sessions/sessions-page.tsx'),
    create: () => import('./sessions/create/create-sessions-page.tsx'),
    edit: () => import('./sessions/session-page.tsx'),
  }),
  staffPage('/jadwal-test/:id/attendance', 'jadwal-test-attendance', {
    access: 'jadwal-test-update',
    sendsLater: true,
    under: [{ title: 'jadwal-test', path: '/jadwal-test' }],
    load: () => import('./attendance/attendance-page.tsx'),
  }),
]
