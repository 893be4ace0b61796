import { type Crumb, staffPage } from '#web/shell/page.ts'

const inbox: Crumb = { title: 'chat-private-chat', path: '/chat/private-chat' }

export const pages = [
  staffPage('/chat/private-chat/jawaban', 'chat-private-chat-jawaban', {
    access: 'private-chat',
    under: [inbox],
    load: () => import('#web/modules/chat/replies/replies-page.tsx'),
  }),
  staffPage('/apps/chat/group-chat', 'apps-chat-group-chat', {
    access: 'signed-in',
    under: [inbox],
    load: () => import('#web/modules/chat/group-chat-page.tsx'),
  }),
]
