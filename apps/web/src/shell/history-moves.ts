type Listener = (event: PopStateEvent) => void

const listeners = new Set<Listener>()

// Registered before the router's listener: browsers call window listeners in registration order.
addEventListener('popstate', (event) => {
  for (const listener of listeners) listener(event)
})

/** Calls the listener on Back and Forward before the router, which it may stop; returns a function that removes it. */
export function beforeHistoryMoves(listener: Listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Makes pushing the current address replace its history entry. The second click of a double click arrives before the
 * router has drawn the page; otherwise the address would be pushed twice, and the first Back would stay on the page.
 */
export function pushEachAddressOnce(past: Pick<History, 'state' | 'pushState' | 'replaceState'>, href: () => string) {
  const push = past.pushState.bind(past)
  past.pushState = (state, unused, url) => {
    if (url === null || url === undefined || new URL(url, href()).href !== href()) return push(state, unused, url)
    // `idx` is the router's index of the entry.
    past.replaceState({ ...state, idx: past.state?.idx }, unused, url)
  }
}
