import { useState } from 'react'

/** A choice about the layout, stored on this device. */
export function useRemembered<T>(key: string, initial: T) {
  const [value, setValue] = useState<T>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') ?? initial
    } catch {
      return initial
    }
  })
  const remember = (next: T) => {
    setValue(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
  }
  return [value, remember] as const
}
