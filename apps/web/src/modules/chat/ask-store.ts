import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '#web/ui/stored.ts'

/** Storage key of the flag that an account has messages to send. If set, pages outside the chat send the messages. */
const unsentKeyOf = (accountId: string) => `chat-unsent:${accountId}`

export const hasUnsent = (accountId: string | undefined) =>
  accountId !== undefined && readStored<boolean>('localStorage', unsentKeyOf(accountId)) === true

export const noteUnsent = (accountId: string, isWaiting: boolean) =>
  writeStored('localStorage', unsentKeyOf(accountId), isWaiting || null)

let isOpen = false
const listeners = new Set<() => void>()

/** Opens or closes the drawer with the applicant's conversation. */
export function showAsk(next: boolean) {
  isOpen = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useIsAskOpen = () => useSyncExternalStore(subscribe, () => isOpen)
