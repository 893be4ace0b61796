import { page } from '#web/shell/page.ts'

/** Both sides open these: an applicant finds the own conversation, staff their inbox. */
export const pages = [
  page('/chat/private-chat', 'chat-private-chat', {
    access: 'private-chat',
    menu: { order: 90, name: { en: 'Chat', id: 'Obrolan' }, icon: 'message' },
    load: () => import('./private-chat-page.tsx'),
  }),
  page('/apps/chat/drawer-chat', 'apps-chat-drawer-chat', {
    access: 'signed-in',
    load: () => import('./drawer-chat-page.tsx'),
  }),
]
