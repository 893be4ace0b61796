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

/**
 * Makes a push of the address on screen replace its history entry. The second click of a double click arrives before
 * the router has drawn the page, so that the router pushes the address twice, and the first Back would stay.
 */
export function pushEachAddressOnce(past: Pick<History, 'state' | 'pushState' | 'replaceState'>, href: () => string) {
  const push = past.pushState.bind(past)
  past.pushState = (state, unused, url) => {
    if (url === null || url === undefined || new URL(url, href()).href !== href()) return push(state, unused, url)
    // `idx` is the router's number of the entry.
    past.replaceState({ ...state, idx: past.state?.idx }, unused, url)
  }
}
