import type { Page } from 'playwright-core'

/** Waits until the page has had its heading, and nothing loading, for `forMs` milliseconds. */
export async function settled(page: Page, forMs = 250) {
  await page.waitForFunction(
    (duration) => {
      const marks = document.documentElement.dataset
      const isLoading = document.querySelector('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root')
      if (isLoading || !document.querySelector('h1')) {
        delete marks.settledSince
        return false
      }
      marks.settledSince ??= String(performance.now())
      const isSettled = performance.now() - Number(marks.settledSince) > duration
      if (isSettled) delete marks.settledSince
      return isSettled
    },
    forMs,
    // Without a pause the browser would poll, and draw, at every frame.
    { timeout: 30_000, polling: 30 },
  )
}
