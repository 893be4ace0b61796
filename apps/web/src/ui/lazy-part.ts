import { lazy } from 'react'

const firstWaitMs = 3_000
const longestWaitMs = 60_000

/** Loads a script, however often the line is lost before, with longer and longer waits between; never rejects. */
export async function arriving<T>(load: () => Promise<T>): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
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
