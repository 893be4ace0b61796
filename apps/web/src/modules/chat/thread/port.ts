import {
  listChatMessages,
  listOwnMessages,
  markChatRead,
  markOwnRead,
  openChatFile,
  tellOwnWriting,
  tellWriting,
} from '#domain/chat/endpoints.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import type { ReadPage } from './thread-store.ts'

export type Port = { read: ReadPage; mark: (seq: number) => Promise<unknown>; tellWriting: () => Promise<unknown> }

/** Requests for a conversation. `null` means the reader's own conversation with the office. */
export function portOf(conversationId: string | null): Port {
  if (conversationId === null)
    return {
      read: (query) => call(listOwnMessages, { query }),
      mark: (seq) => sendOnce(markOwnRead, { body: { seq } }),
      tellWriting: () => call(tellOwnWriting, { body: {} }),
    }
  const params = { id: conversationId }
  return {
    read: (query) => call(listChatMessages, { params, query }),
    mark: (seq) => sendOnce(markChatRead, { params, body: { seq } }),
    tellWriting: () => call(tellWriting, { params, body: {} }),
  }
}

/** Opens a message's file in a new tab. The URL expires soon, so each click asks for a new one. */
export async function openFile(messageId: string) {
  const { data } = await call(openChatFile, { params: { id: messageId } })
  const link = document.createElement('a')
  Object.assign(link, { href: data.url, target: '_blank', rel: 'noopener' })
  link.click()
}
