import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aBrowser, answersOfSession, signedIn } from '#web-test/browser.ts'

const staff = { id: 'u2', role: { id: 'r2', name: 'Panitia PMB' } }
const minuteMs = 60_000

let browser: ReturnType<typeof aBrowser>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  browser = aBrowser(answersOfSession())
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open({ complete = false } = {}) {
  const { setPages } = await import('#web/shell/page-table.ts')
  const { page, staffPage } = await import('#web/shell/page.ts')
  const load = () => Promise.reject(new Error('no page opens here'))
  const pages = [page('/pendaftaran', 'pendaftaran', { access: 'pendaftaran-view', load })]
  const staffPages = [staffPage('/settings/accounts', 'settings-accounts', { access: 'settings-accounts-view', load })]
  setPages(complete ? [...pages, ...staffPages] : pages, { complete })
  return { arrival: await import('./arrival.ts'), store: await import('#web/shell/session/session-store.ts') }
}

describe('the return path after sign-in', () => {
  it('is the page the visitor requested, once', async () => {
    const { arrival, store } = await open()
    arrival.rememberArrival('?next=/pendaftaran')
    await store.acceptSignIn(signedIn())
    expect(arrival.takeReturnPath()).toBe('/pendaftaran')
    expect(arrival.takeReturnPath()).toBeNull()
  })

  it('expires after an hour, while the choice of a study programme stays', async () => {
    const { arrival } = await open()
    arrival.rememberArrival('?next=/pendaftaran&wave=G1')
    vi.advanceTimersByTime(59 * minuteMs)
    expect(arrival.keptReturnPath()).toBe('/pendaftaran')
    vi.advanceTimersByTime(2 * minuteMs)
    expect(arrival.keptReturnPath()).toBeNull()
    expect(arrival.keptChoice()).toEqual({ wave: 'G1' })
  })

  it('belongs to its tab', async () => {
    const { arrival } = await open()
    arrival.rememberArrival('?next=/pendaftaran')
    browser.tab.clear()
    expect(arrival.keptReturnPath()).toBeNull()
  })

  it('of an ended session is not used for another person', async () => {
    const { arrival, store } = await open()
    await store.acceptSignIn(signedIn())
    store.clearSession('Expired')
    arrival.rememberArrival('?next=/pendaftaran')
    await store.acceptSignIn(signedIn({ id: 'u9' }))
    expect(arrival.takeReturnPath()).toBeNull()
  })

  it('of an ended session is used for the same person', async () => {
    const { arrival, store } = await open()
    await store.acceptSignIn(signedIn())
    store.clearSession('Expired')
    arrival.rememberArrival('?next=/pendaftaran')
    await store.acceptSignIn(signedIn())
    expect(arrival.takeReturnPath()).toBe('/pendaftaran')
  })

  it('never leads an applicant to a staff page', async () => {
    const { arrival, store } = await open()
    arrival.rememberArrival('?next=/settings/accounts')
    await store.acceptSignIn(signedIn())
    expect(arrival.takeReturnPath()).toBeNull()
  })

  it('never leads staff to a page their permissions do not open', async () => {
    const { arrival, store } = await open({ complete: true })
    arrival.rememberArrival('?next=/settings/accounts?q=x')
    await store.acceptSignIn(signedIn(staff))
    expect(arrival.takeReturnPath()).toBeNull()
    arrival.rememberArrival('?next=/pendaftaran')
    expect(arrival.takeReturnPath()).toBe('/pendaftaran')
  })
})
