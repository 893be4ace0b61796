import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

function change(next: boolean) {
  isOpen = next
  for (const listener of listeners) listener()
}

/** Opens the drawer of "Ask us" from any page. */
export const openAskUs = () => change(true)
export const closeAskUs = () => change(false)

const onChange = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useAskUs = () => useSyncExternalStore(onChange, () => isOpen)
