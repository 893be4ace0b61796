import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until a scope's service worker has stored the page, so that it opens without network. */
export const keptOnPhone = (page: Page, scope: string) =>
  // `waitForFunction` counts a promise as true, whatever it resolves to.
  expect
    .poll(
      () =>
        page.evaluate(async (path) => {
          const registration = await navigator.serviceWorker.getRegistration(path)
          return registration?.active?.state === 'activated' && (await caches.match(location.pathname)) !== undefined
        }, scope),
      { timeout: 30_000 },
    )
    .toBe(true)
