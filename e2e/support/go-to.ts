import type { Page } from 'playwright-core'

/**
 * Goes to an address: within the running app like a link, which saves loading it again. Loads the address if the app is
 * not running, for another query of the same page, or if no other heading appears.
 */
export async function goTo(page: Page, address: string) {
  if (await hasMoved(page, address)) return
  await page.goto(address)
}

async function hasMoved(page: Page, address: string) {
  const textBefore = await page.evaluate((to) => {
    const heading = document.querySelector('#root h1')
    const path = to.split(/[?#]/)[0]!
    if (!(heading instanceof HTMLElement) || !/^\/(?!api\/|survei\/)/.test(path) || path === location.pathname)
      return null
    heading.dataset.left = ''
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    return heading.textContent
  }, address)
  if (textBefore === null) return false
  const arrival = page.waitForFunction(
    (before) => {
      const heading = document.querySelector<HTMLElement>('h1')
      return heading && (heading.dataset.left === undefined || heading.textContent !== before)
    },
    textBefore,
    // Polling at every frame would make the browser draw each time.
    { timeout: 5_000, polling: 30 },
  )
  return arrival.then(
    () => true,
    () => false,
  )
}
