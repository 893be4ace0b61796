type Listener = (event: PopStateEvent) => void

const listeners = new Set<Listener>()

// Begun before the router's own, which hears after it: browsers ask listeners of the window in the order they came.
addEventListener('popstate', (event) => {
  for (const listener of listeners) listener(event)
})

/** Hears Back and Forward before the router does, and may stop it; gives back how to end that. */
export function beforeHistoryMoves(listener: Listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
