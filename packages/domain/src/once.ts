/** A function that calls `make` at its first call and returns the same value ever after. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A function that calls `make` once for each key. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { value: T }>()
  return (key) => {
    const found = made.get(key) ?? { value: make(key) }
    made.set(key, found)
    return found.value
  }
}
