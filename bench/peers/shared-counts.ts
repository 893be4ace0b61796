const keptMs = 10_000

/** Keeps the result of a count for ten seconds and shares it among concurrent requests, as the product does. */
export function sharedCounts<T>() {
  const counts = new Map<string, Promise<T>>()
  return (key: string, count: () => Promise<T>): Promise<T> => {
    const known = counts.get(key)
    if (known) return known
    const pending = count()
    counts.set(key, pending)
    setTimeout(() => counts.delete(key), keptMs).unref()
    return pending
  }
}
