import { useSyncExternalStore } from 'react'

/** Names the account with unsent messages, so that a page without the chat knows that it has to send them. */
export const unsentKey = 'chat-unsent'

let isOpen = false
const listeners = new Set<() => void>()

/** Opens or closes the drawer with the reader's conversation. */
export function showAsk(next: boolean) {
  isOpen = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useIsAskOpen = () => useSyncExternalStore(subscribe, () => isOpen)
