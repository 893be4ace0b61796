import { useState } from 'react'

/** A choice about the layout, kept on this device. */
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
      // Then it lasts as long as the page.
    }
  }
  return [value, remember] as const
}
