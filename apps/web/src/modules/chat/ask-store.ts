import { useSyncExternalStore } from 'react'

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
