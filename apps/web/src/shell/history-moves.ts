type Listener = (event: PopStateEvent) => void

const listeners = new Set<Listener>()

// Added before the router's own listener: browsers call listeners of the window in the order they were added.
addEventListener('popstate', (event) => {
  for (const listener of listeners) listener(event)
})

/** Calls the listener on Back and Forward before the router, which it may stop; returns a function that removes it. */
export function beforeHistoryMoves(listener: Listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
