/** A function that calls `make` at its first call and returns the same value afterwards. */
export function once<T>(make: () => T): () => T {
  let result: { value: T } | undefined
  return () => {
    result ??= { value: make() }
    return result.value
  }
}

/** A function that calls `make` once for each key. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const results = new WeakMap<K, { value: T }>()
  return (key) => {
    const result = results.get(key) ?? { value: make(key) }
    results.set(key, result)
    return result.value
  }
}
