import { lazy } from 'react'

const firstWaitMs = 3_000
const longestWaitMs = 60_000

/**
 * Until the browser knows of a network. A browser whose load of a script failed once does not ask for it again until the
 * page is reloaded, so that nothing is tried before.
 */
const online = async () => {
  if (navigator.onLine === false) await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
}

/** Loads a script, however often the line is lost before, with longer and longer waits between; never rejects. */
export async function arriving<T>(load: () => Promise<T>): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    await online()
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/**
 * A part of a page whose script loads when it is first drawn. While the line is lost it stays away, and the page around
 * it and what was typed there stay.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => arriving(load))
