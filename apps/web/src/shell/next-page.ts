let load = () => {}

/** Sets what loads the first page after sign-in; the router knows it, the sign-in form knows when. */
export const setPageAfterSignIn = (next: () => void) => {
  load = next
}

/** Loads the first page after sign-in while the person still types. Calling again is free. */
export const loadPageAfterSignIn = () => load()
