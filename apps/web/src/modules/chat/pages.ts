import { page } from '#web/shell/page.ts'

export const pages = [
  page('/apps/chat/drawer-chat', 'apps-chat-drawer-chat', {
    access: 'signed-in',
    load: () => import('./drawer-chat-page.tsx'),
  }),
]
