import { staffPage } from '#web/shell/page.ts'

const chat = (path: string, access: string) =>
  staffPage(path, path.slice(1).replaceAll('/', '-'), {
    access,
    title: `samples.${path.split('/').at(-1)}`,
  })

export const pages = [
  chat('/chat/private-chat', 'private-chat'),
  chat('/apps/chat/group-chat', 'signed-in'),
  chat('/apps/chat/drawer-chat', 'signed-in'),
]
