import { useSyncExternalStore } from 'react'
import { type ChatEvent, streamChat } from '#domain/chat/endpoints.ts'
import { storedToken } from '#web/api/client.ts'
import { readEvents, type StreamEvent } from '#web/api/event-stream.ts'
import { currentSession, onSession } from '#web/shell/session/session-store.ts'
import { joinStream, type OpenStream, type SharedEvent, type StreamState } from './shared-stream.ts'

export type ChatListener = {
  onEvents: (events: readonly ChatEvent[]) => void
  /** Called when events may have been missed, so that everything on the screen may be stale. */
  onCatchUp: () => void
}

/** Silence after which the connection counts as dead. The server sends a heartbeat every five seconds. */
const silenceMs = 30_000

const listeners = new Set<ChatListener>()
let state: StreamState = 'connecting'
const stateListeners = new Set<() => void>()
let joined: { owner: string; leave: () => void } | null = null

const toShared = ({ id, kind, data }: StreamEvent): SharedEvent => ({ id, kind, data: JSON.parse(data) })

const open: OpenStream = ({ after, signal, onOpen, onEvent }) =>
  readEvents(streamChat.path, {
    query: { after },
    signal,
    silenceMs,
    onOpen,
    onEvent: (event) => onEvent(toShared(event)),
  })

function receive({ kind, data }: SharedEvent) {
  for (const listener of listeners) {
    if (kind === 'reload') listener.onCatchUp()
    else if ((data as ChatEvent[]).length > 0) listener.onEvents(data as ChatEvent[])
  }
}

function changeState(next: StreamState) {
  state = next
  for (const listener of stateListeners) listener()
  if (next === 'open') for (const { onCatchUp } of listeners) onCatchUp()
}

/** Opens or leaves the stream, depending on the listeners and the signed-in account. */
function adjust() {
  const owner = listeners.size > 0 && storedToken() ? (currentSession().user?.id ?? null) : null
  if (joined?.owner === owner || (!joined && !owner)) return
  joined?.leave()
  joined = null
  state = 'connecting'
  if (owner) joined = { owner, leave: joinStream(`chat:${owner}`, open, { onEvent: receive, onState: changeState }) }
}
onSession(adjust)

/** Makes listeners read missed messages. After a phone wakes up, a dead connection may go unnoticed for `silenceMs`. */
function catchUp() {
  if (joined && document.visibilityState === 'visible') for (const listener of listeners) listener.onCatchUp()
}
addEventListener('online', catchUp)
document.addEventListener('visibilitychange', catchUp)

/** Adds a listener for chat events and opens the stream if needed. Returns a function that removes the listener. */
export function onChat(listener: ChatListener): () => void {
  listeners.add(listener)
  adjust()
  return () => {
    listeners.delete(listener)
    // Keeps the stream for a second, because the next page may add a listener a moment later.
    setTimeout(adjust, 1_000)
  }
}

const onStreamState = (listener: () => void) => {
  stateListeners.add(listener)
  return () => void stateListeners.delete(listener)
}
export const useStreamState = (): StreamState => useSyncExternalStore(onStreamState, () => state)
