export const inboxPath = '/chat/private-chat'
export const conversationPath = (id: string) => `${inboxPath}?conversation=${id}`
