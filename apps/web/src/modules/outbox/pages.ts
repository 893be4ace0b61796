import { page } from '#web/shell/page.ts'

export const pages = [
  page('/outbox', 'outbox', { layout: 'public', access: 'public', load: () => import('./outbox-page.tsx') }),
]
