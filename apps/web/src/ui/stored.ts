type Place = 'localStorage' | 'sessionStorage'

/** Reads a JSON value from browser storage; null if absent or unreadable, or if storage is forbidden. */
export function readStored<T>(place: Place, key: string): T | null {
  try {
    return JSON.parse(globalThis[place].getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** Stores a value as JSON, or removes it for null; returns false if storage is full or forbidden. */
export function writeStored(place: Place, key: string, value: unknown): boolean {
  try {
    if (value === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
