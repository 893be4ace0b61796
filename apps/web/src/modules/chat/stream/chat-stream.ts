import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type ChatEvent, streamChat } from '#domain/chat/endpoints.ts'
import { readEvents } from '#web/api/event-stream.ts'
import { joinStream, type OpenStream, type StreamState } from './shared-stream.ts'

/** Gets what happened; null says that too much did, and everything is to be read anew. */
type Listener = (events: readonly ChatEvent[] | null) => void

/** The server says every ten seconds that it is there. */
const silenceMs = 35_000

const listeners = new Set<Listener>()
const stateListeners = new Set<() => void>()
let state: StreamState = 'connecting'
let leave: (() => void) | undefined

const open: OpenStream = ({ after, signal, onOpen, onEvent }) =>
  readEvents(streamChat.path, {
    query: after === null ? {} : { after },
    signal,
    silenceMs,
    onOpen,
    onEvent: ({ id, kind, data }) => onEvent({ id, kind, data: JSON.parse(data) }),
  })

/** Joins the stream while at least one part of the page listens. */
function listen(listener: Listener) {
  listeners.add(listener)
  leave ??= joinStream('chat', open, {
    onEvent: ({ kind, data }) => {
      const events = kind === 'reload' ? null : (data as ChatEvent[])
      for (const one of [...listeners]) one(events)
    },
    onState: (next) => {
      state = next
      for (const one of [...stateListeners]) one()
    },
  })
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    leave?.()
    leave = undefined
    state = 'connecting'
  }
}

/** Calls the newest `listener` for every event while `enabled`. */
export function useChatEvents(listener: Listener, enabled = true) {
  const newest = useRef(listener)
  newest.current = listener
  useEffect(() => (enabled ? listen((events) => newest.current(events)) : undefined), [enabled])
}

const onState = (changed: () => void) => {
  stateListeners.add(changed)
  return () => {
    stateListeners.delete(changed)
  }
}

/** Whether events arrive at the moment. */
export const useStreamState = () => useSyncExternalStore(onState, () => state)
