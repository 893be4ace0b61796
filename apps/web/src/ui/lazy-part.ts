import { type ComponentType, lazy } from 'react'

const retryAfterMs = 3_000

/**
 * A part of a page whose script loads when it is first drawn. While the line is lost it stays away and comes once the
 * script arrives; the page around it, and what was typed there, stays.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    for (;;) {
      try {
        return await load()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
      }
    }
  })
