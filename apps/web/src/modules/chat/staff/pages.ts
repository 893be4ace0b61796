import { staffPage } from '#web/shell/page.ts'

const inbox = { title: 'chat-private-chat', path: '/chat/private-chat' }

export const pages = [
  staffPage(inbox.path, 'chat-private-chat', {
    access: 'private-chat',
    menu: { under: 'messages', order: 30, name: { en: 'Conversations', id: 'Percakapan' }, icon: 'message' },
    load: () => import('./inbox-page.tsx'),
  }),
  staffPage('/chat/private-chat/jawaban', 'chat-private-chat-jawaban', {
    access: 'private-chat',
    under: [inbox],
    load: () => import('./replies-page.tsx'),
  }),
  staffPage('/apps/chat/group-chat', 'apps-chat-group-chat', {
    access: 'private-chat',
    under: [inbox],
    menu: { under: 'messages', order: 40, name: { en: 'Team room', id: 'Ruang tim' }, icon: 'users-group' },
    load: () => import('./rooms-page.tsx'),
  }),
]
