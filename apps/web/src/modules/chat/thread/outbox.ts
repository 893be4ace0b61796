import { useSyncExternalStore } from 'react'
import type { ChatTeam } from '#domain/chat/chat.ts'
import { type ChatMessage, sendChatFile, sendChatMessage, sendOwnFile, sendOwnMessage } from '#domain/chat/endpoints.ts'
import { ApiError, pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { upload } from '#web/api/upload.ts'
import { noteUnsent } from '#web/modules/chat/ask-store.ts'
import { newId } from '#web/offline/new-id.ts'
import { addToQueue, putInQueue, type QueuedItem, removeFromQueue } from '#web/offline/queue.ts'
import { keepFlushing, sendQueue } from '#web/offline/send-queue.ts'
import { currentSession } from '#web/shell/session/session-store.ts'

type Content =
  | { kind: 'text'; body: string; team?: ChatTeam; note?: boolean; seenSeq?: number; templateId?: string | null }
  | { kind: 'file'; file: File; team?: ChatTeam; seenSeq?: number }

/** A message the server has not confirmed. */
export type Unsent = Content & {
  /** Null in the reader's own conversation with the office. */
  conversationId: string | null
  /** Why the message was not sent. The message then waits for `retry` or `discard`. */
  refusal?: { code: string; message: string }
}
export type UnsentItem = QueuedItem<Unsent>

const topic = 'chat'

/** Whether sending the same message again may succeed. */
export const isWorthRetrying = (error: unknown) =>
  !(error instanceof ApiError) ||
  // Status 0 means no answer from the server.
  [0, 401, 408, 429].includes(error.status) ||
  error.status >= 500 ||
  // The server is still processing an earlier attempt.
  error.code === 'still_working'

/** Code and sentence of a refusal. A sentence about an invalid field replaces the one about the request. */
export const refusalOf = ({ code, message, errors }: ApiError) => ({
  code,
  message: Object.values(errors).flat()[0] ?? message,
})

/**
 * Whether the server refused the idempotency key, not the message. A retry under a new key is safe, because the server
 * stores each message id once.
 */
const isKeyTrouble = (error: unknown) =>
  error instanceof ApiError && /^(idempotency_mismatch|answer_lost)$/.test(error.code)

async function transmit({ id, data }: UnsentItem): Promise<ChatMessage> {
  const { conversationId } = data
  if (data.kind === 'file') {
    const form = new FormData()
    form.append('id', id)
    if (conversationId && data.seenSeq !== undefined) form.append('seenSeq', String(data.seenSeq))
    if (!conversationId && data.team) form.append('team', data.team)
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

/** Sends an item. If the idempotency key was refused, sends the item once more under a new key. */
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
  const reader = currentSession().user?.id
  // Without a session the account is unknown, so its flag for unsent messages stays unchanged.
  if (reader)
    noteUnsent(
      reader,
      box.items.some(({ owner, data }) => owner === reader && !data.refusal),
    )
  for (const listener of listeners) listener()
}

/** Whether other messages would fail for the same reason. */
const failsForAll = (error: unknown) =>
  !(error instanceof ApiError) || error.code === 'offline' || [401, 429].includes(error.status)

const replace = (changed: UnsentItem) =>
  set({ items: box.items.map((other) => (other.id === changed.id ? changed : other)) })

/** Ids of messages not stored on the device, which are lost when the page closes. */
const unstoredIds = new Set<string>()
const store = async (item: UnsentItem) => {
  if (!unstoredIds.has(item.id)) await putInQueue([item])
}

/** Sends one item and returns it if the server refused it. Throws if another attempt may help. */
async function sendItem(item: UnsentItem) {
  // Another account may have signed in while an earlier message was being sent.
  if (currentSession().user?.id !== item.owner) throw new ApiError(401, 'unauthenticated', '')
  try {
    const message = await deliver(item, transmit)
    for (const listener of sentListeners) listener(item.data.conversationId, message)
    unstoredIds.delete(item.id)
    set({ items: box.items.filter(({ id }) => id !== item.id), failure: null })
  } catch (error) {
    if (isWorthRetrying(error)) throw error
    const refusedItem: UnsentItem = { ...item, data: { ...item.data, refusal: refusalOf(error as ApiError) } }
    await store(refusedItem)
    replace(refusedItem)
    return refusedItem
  }
}

/** Sends an item and returns the ids that stay in the queue. Throws if other items would fail for the same reason. */
async function sendInTurn(item: UnsentItem, blocked: Map<string | null, Error>): Promise<readonly string[]> {
  const { conversationId, refusal } = item.data
  // The item was discarded while an earlier one was being sent.
  if (!box.items.some(({ id }) => id === item.id)) return []
  // A refused item waits for `retry` or `discard`, and later items pass it. After an item that failed but may still
  // succeed, later items of its conversation wait, to keep the order.
  if (refusal || blocked.has(conversationId)) return [item.id]
  try {
    return (await sendItem(item)) ? [item.id] : []
  } catch (error) {
    if (failsForAll(error)) throw error
    blocked.set(conversationId, error as Error)
    return [item.id]
  }
}

function showStored(items: readonly UnsentItem[]) {
  const storedIds = new Set(items.map(({ id }) => id))
  set({ items: [...items, ...box.items.filter(({ id }) => unstoredIds.has(id) && !storedIds.has(id))] })
}

async function flush(): Promise<boolean> {
  const owner = currentSession().user?.id
  if (!owner) return true
  const blocked = new Map<string | null, Error>()
  try {
    await sendQueue<Unsent>({
      topic,
      owner,
      batchSize: 1,
      send: ([item]) => sendInTurn(item!, blocked),
      onRead: showStored,
    })
    const [failure = null] = blocked.values()
    set({ failure })
    return failure === null
  } catch (error) {
    // Other errors, such as those of the device's storage, must not make the page look offline.
    if (error instanceof ApiError) set({ failure: error })
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

/** Messages the server has not confirmed, and the API error of the last attempt to send the queue, or null. */
export const current = (): Box => box

/** Returns `current()` as state. While mounted, sends waiting messages. */
export const useOutbox = (): Box => useSyncExternalStore(subscribe, current)

/** Sends waiting messages while mounted, without an open thread. */
export function SendsOutbox() {
  useOutbox()
  return null
}

/** Calls the listener after this tab has sent a message. Returns a function that removes the listener. */
export function onSent(listener: (conversationId: string | null, message: ChatMessage) => void) {
  sentListeners.add(listener)
  return () => void sentListeners.delete(listener)
}

/** Stores a message on this device and sends it. If the device cannot store the message, sends it from memory. */
export async function post(data: Unsent) {
  const owner = currentSession().user!.id
  const item: UnsentItem = { id: newId(), topic, owner, at: new Date().toISOString(), data }
  unstoredIds.add(item.id)
  set({ items: [...box.items, item] })
  try {
    await addToQueue(item)
    unstoredIds.delete(item.id)
  } catch {
    // The id stays in `unstoredIds`, so `send` sends this message from memory.
  }
  await send(item)
}

/** Starts sending the queue or, if the device could not store `item`, sends just `item`. */
async function send(item: UnsentItem) {
  if (!unstoredIds.has(item.id)) return void flush()
  try {
    await sendItem(item)
  } catch (error) {
    // `flush` does not see an item kept in memory, so any failure becomes the item's refusal.
    const { message, code = 'unsent' } = error as Partial<ApiError> & Error
    replace({ ...item, data: { ...item.data, refusal: { code, message } } })
  }
}

export async function discard(id: string) {
  if (!unstoredIds.delete(id)) await removeFromQueue([id])
  set({ items: box.items.filter((item) => item.id !== id) })
}

/** Sends a refused message again. Its author has now seen the messages up to `seenSeq`. */
export async function retry({ data: { refusal: _, ...data }, ...item }: UnsentItem, seenSeq: number) {
  const again: UnsentItem = { ...item, data: { ...data, seenSeq } }
  await store(again)
  replace(again)
  await send(again)
}
