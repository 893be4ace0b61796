import { useSyncExternalStore } from 'react'
import type { ChatTeam } from '#domain/chat/chat.ts'
import { type ChatMessage, sendChatFile, sendChatMessage, sendOwnFile, sendOwnMessage } from '#domain/chat/endpoints.ts'
import { ApiError, pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { unsentKey } from '#web/modules/chat/ask-store.ts'
import { newId } from '#web/offline/new-id.ts'
import { addToQueue, putInQueue, type QueuedItem, removeFromQueue } from '#web/offline/queue.ts'
import { keepFlushing, sendQueue } from '#web/offline/send-queue.ts'
import { currentSession } from '#web/shell/session/session-store.ts'
import { writeStored } from '#web/ui/stored.ts'

type Content =
  | { kind: 'text'; body: string; team?: ChatTeam; note?: boolean; seenSeq?: number; templateId?: string | null }
  | { kind: 'file'; file: File }

/** A message on its way; `conversationId` is null in the reader's own conversation with the office. */
export type Unsent = Content & {
  conversationId: string | null
  /** Why the server refused it; it stays until its writer decides. */
  refusal?: { code: string; message: string }
}
export type UnsentItem = QueuedItem<Unsent>

const topic = 'chat'

/** Whether the same message may be sent again: the server did not get it, did not answer, or was busy. */
export const isWorthRetrying = (error: unknown) =>
  !(error instanceof ApiError) || [0, 401, 408, 429].includes(error.status) || error.status >= 500

/** Why the server refused a message: the sentence about its file or text, or else that of the whole request. */
export const refusalOf = ({ code, message, errors }: ApiError) => ({
  code,
  message: Object.values(errors).flat()[0] ?? message,
})

/** Another message of the same address used the key of the request; the id of this one makes it happen once. */
const isKeyTrouble = (error: unknown) =>
  error instanceof ApiError && /^(idempotency_mismatch|answer_lost)$/.test(error.code)

async function transmit({ id, data }: UnsentItem): Promise<ChatMessage> {
  const { conversationId } = data
  if (data.kind === 'file') {
    const form = new FormData()
    form.append('id', id)
    form.append('file', data.file, data.file.name)
    const path = conversationId ? pathOf(sendChatFile.path, { id: conversationId }) : sendOwnFile.path
    return (await upload<{ data: ChatMessage }>(path, form)).data
  }
  const { body, team, note = false, seenSeq = 0, templateId = null } = data
  const answer = conversationId
    ? await sendOnce(sendChatMessage, {
        params: { id: conversationId },
        body: { id, body, note, seenSeq, templateId },
      })
    : await sendOnce(sendOwnMessage, { body: { id, body, ...(team && { team }) } })
  return answer.data
}

/** Sends an item; a second attempt under a new key follows where only the key was refused. */
export async function deliver<T>(item: T, send: (item: T) => Promise<ChatMessage>): Promise<ChatMessage> {
  try {
    return await send(item)
  } catch (error) {
    if (!isKeyTrouble(error)) throw error
    return send(item)
  }
}

type Box = { items: readonly UnsentItem[]; failure: Error | null }
const emptyBox: Box = { items: [], failure: null }

let box = emptyBox
const listeners = new Set<() => void>()
const sentListeners = new Set<(conversationId: string | null, message: ChatMessage) => void>()

function set(change: Partial<Box>) {
  box = { ...box, ...change }
  const owner = currentSession().user?.id
  writeStored('localStorage', unsentKey, box.items.some(({ data }) => !data.refusal) && owner ? owner : null)
  for (const listener of listeners) listener()
}

async function sendItem(item: UnsentItem): Promise<readonly string[]> {
  if (item.data.refusal) return [item.id]
  try {
    const message = await deliver(item, transmit)
    for (const listener of sentListeners) listener(item.data.conversationId, message)
    set({ items: box.items.filter(({ id }) => id !== item.id), failure: null })
    return []
  } catch (error) {
    if (isWorthRetrying(error)) throw error
    const refusedItem: UnsentItem = { ...item, data: { ...item.data, refusal: refusalOf(error as ApiError) } }
    await putInQueue([refusedItem])
    set({ items: box.items.map((other) => (other.id === item.id ? refusedItem : other)) })
    return [item.id]
  }
}

async function flush(): Promise<boolean> {
  const owner = currentSession().user?.id
  if (!owner) return true
  try {
    await sendQueue<Unsent>({
      topic,
      owner,
      batchSize: 1,
      send: ([item]) => sendItem(item!),
      onRead: (items) => set({ items }),
    })
    set({ failure: null })
    return true
  } catch (error) {
    set({ failure: error as Error })
    return false
  }
}

const longestPauseMs = 30_000
const pauseMsAfter = (failures: number) => Math.min(2_000 * 2 ** failures, longestPauseMs)

let stop: (() => void) | null = null
function subscribe(listener: () => void) {
  listeners.add(listener)
  stop ??= keepFlushing(flush, pauseMsAfter)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = null
  }
}

/** Messages of this device that the server has not stored yet, oldest first; sends them while somebody looks. */
export const useOutbox = (): Box => useSyncExternalStore(subscribe, () => box)

/** Calls the listener with each message that was stored for this device. */
export function onSent(listener: (conversationId: string | null, message: ChatMessage) => void) {
  sentListeners.add(listener)
  return () => void sentListeners.delete(listener)
}

/** Keeps a message on this device until the server has stored it. */
export async function post(data: Unsent) {
  const owner = currentSession().user!.id
  const item: UnsentItem = { id: newId(), topic, owner, at: new Date().toISOString(), data }
  await addToQueue(item)
  set({ items: [...box.items, item] })
  void flush()
}

/** Takes a message out of the box for good. */
export async function discard(id: string) {
  await removeFromQueue([id])
  set({ items: box.items.filter((item) => item.id !== id) })
}

/** Sends a refused message once more, as it is. */
export async function retry({ data: { refusal: _, ...data }, ...item }: UnsentItem) {
  const again: UnsentItem = { ...item, data }
  await putInQueue([again])
  set({ items: box.items.map((other) => (other.id === item.id ? again : other)) })
  void flush()
}
