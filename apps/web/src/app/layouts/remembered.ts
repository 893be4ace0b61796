import { useState } from 'react'
import { readStored, writeStored } from '#web/ui/stored.ts'

/** A choice about the layout, stored on this device. */
export function useRemembered<T>(key: string, initial: T) {
  const [value, setValue] = useState<T>(() => readStored<T>('localStorage', key) ?? initial)
  const remember = (next: T) => {
    setValue(next)
    // Without storage the choice lasts until the page is reloaded.
    writeStored('localStorage', key, next)
  }
  return [value, remember] as const
}
