import { page } from '#web/shell/page.ts'

export const pages = [
  page('/berhenti-pesan/:token', 'berhenti-pesan', {
    layout: 'public',
    access: 'public',
    load: () => import('./opt-out-page.tsx'),
  }),
]
