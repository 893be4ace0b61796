import { lazy } from 'react'

const firstWaitMs = 3_000
const longestWaitMs = 60_000

/**
 * Resolves when the browser is online. A browser that once failed to load a script does not request it again until a
 * reload, so nothing is tried before.
 */
const online = async () => {
  if (navigator.onLine === false) await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
}

/** Loads a script, retrying with longer and longer waits however often the connection is lost; never rejects. */
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
 * A part of a page whose script loads when first drawn. While offline it stays absent, and the page around it keeps its
 * input.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => arriving(load))
