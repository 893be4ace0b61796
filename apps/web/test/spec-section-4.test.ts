import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { redirectFor } from '#domain/accounts/redirect.ts'
import { shownResults } from '#domain/admissions/registration-status.ts'
import { entities } from '#entities/index.ts'
import { resources } from '#locales/index.ts'
import { aBrowser, answersOfSession, json, refuseWith, signedIn } from './browser.ts'

type Browser = ReturnType<typeof aBrowser>
let browser: Browser
const openPage = () => import('#web/shell/session/session-store.ts')
const fourKeys = ['id_token', 'menus', 'permissions', 'profile_user']
const checks = () => browser.calls.filter((url) => url === '/api/verify_token').length

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.resetModules()
  browser = aBrowser(answersOfSession())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Signs in, then opens the page anew with the stored session. */
async function reopenSignedIn() {
  await (await openPage()).acceptSignIn(signedIn())
  browser.calls.length = 0
  vi.resetModules()
  return openPage()
}

describe('"Registration result is shown as: waiting for result, accepted, not accepted"', () => {
  it('has a sentence for each in both languages', () => {
    expect(shownResults).toEqual(['waiting', 'accepted', 'not_accepted'])
    for (const { admissions } of [resources.en, resources.id])
      expect(Object.keys(admissions.result)).toEqual([...shownResults])
  })
})

describe('"Records are active or not active"', () => {
  it('every master record has the field and the two words', () => {
    expect(entities.length).toBeGreaterThan(20)
    for (const { resource } of [resources.en, resources.id]) {
      expect(resource.active).toBeTruthy()
      expect(resource.inactive).toBeTruthy()
    }
  })
})

describe('"any route other than sign-in, sign-in-google, sign-up, password-reset, password-reset-submit, afiliator, afiliator-view is redirected to sign-in"', () => {
  it.each(['sign-in', 'sign-in-google', 'sign-up', 'password-reset', 'password-reset-submit', 'afiliator'])(
    '%s opens for a visitor',
    (route) => expect(redirectFor(route, null)).toBeNull(),
  )
  it.each(['dashboard', 'verify-email', 'account-settings', 'pendaftaran', 'laporan-camaba'])(
    '%s sends a visitor to sign-in',
    (route) => expect(redirectFor(route, null)).toBe('sign-in'),
  )
})

describe('"Authenticated user (has an id): the profile is fetched, then for any route except sign-in"', () => {
  it.each([
    ['an applicant', {}],
    ['an applicant whose e-mail is not verified', { email_verified_at: null }],
    ['staff', { role: { id: 'r2', name: 'Panitia PMB' } }],
  ])('fetches the profile of %s', async (_, changes) => {
    await (await openPage()).acceptSignIn(signedIn(changes))
    expect(browser.calls).toContain('/api/auth/my-profile')
  })

  it('a profile that cannot be read sends nobody to fill one in, and the dialog says what failed', async () => {
    browser.answers['/api/auth/my-profile'] = refuseWith(500, 'internal', 'The profile could not be read')
    const store = await openPage()
    await store.acceptSignIn(signedIn())
    const { currentFailures } = await import('#web/api/failures.ts')
    expect(store.currentSession()).toMatchObject({ state: 'signed-in', profile: {} })
    expect(currentFailures()).toMatchObject([{ message: 'The profile could not be read' }])
  })

  const applicant = { emailVerified: true, roleName: 'Mahasiswa', hasProfile: true }
  it('"1. e-mail not verified and route not verify-email or verify-email-proccess: go to verify-email"', () => {
    const unverified = { ...applicant, emailVerified: false }
    expect(redirectFor('dashboard', unverified)).toBe('verify-email')
    expect(redirectFor('verify-email', unverified)).toBeNull()
    expect(redirectFor('verify-email-proccess', unverified)).toBeNull()
  })
  it('"2. e-mail verified and route is verify-email: go to dashboard"', () => {
    expect(redirectFor('verify-email', applicant)).toBe('dashboard')
  })
  it('"3. role Mahasiswa, e-mail verified, no profile data and route not account-settings: go to account-settings"', () => {
    const withoutProfile = { ...applicant, hasProfile: false }
    expect(redirectFor('dashboard', withoutProfile)).toBe('account-settings')
    expect(redirectFor('account-settings', withoutProfile)).toBeNull()
    expect(redirectFor('dashboard', { ...withoutProfile, roleName: 'Panitia PMB' })).toBeNull()
  })
})

describe('"Successful login, registration or token verification marks the user authenticated and saves token and user"', () => {
  it('after a login or registration', async () => {
    const store = await openPage()
    await store.acceptSignIn(signedIn())
    expect(store.currentSession().state).toBe('signed-in')
    expect([...browser.stored.keys()].sort()).toEqual(fourKeys)
  })
  it('after a token verification', async () => {
    browser.stored.set('id_token', 'token')
    const store = await openPage()
    await store.checkSession()
    expect(store.currentSession()).toMatchObject({ state: 'signed-in', user: { id: 'u1' } })
    expect([...browser.stored.keys()].sort()).toEqual(fourKeys)
  })
})

describe('"Failed token check or permissions fetch clears authentication"', () => {
  const failures = [
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [422, 'invalid_input'],
    [500, 'internal'],
    [502, 'internal'],
  ] as const
  const reads = ['/api/verify_token', '/api/auth/permissions']

  describe.each(reads)('%s', (path) => {
    it.each(failures)(
      'answered with %i clears all four keys and keeps the reason for sign-in',
      async (status, code) => {
        const store = await reopenSignedIn()
        browser.answers[path] = refuseWith(status, code, 'Why it ended')
        await store.checkSession({ force: true, fresh: true })
        expect(browser.stored.size).toBe(0)
        expect(store.currentSession()).toMatchObject({ state: 'signed-out', user: null, endedBecause: 'Why it ended' })
      },
    )

    it.each([
      [429, 'too_many_requests'],
      [503, 'service_unavailable'],
    ])('answered with %i keeps the session, says so and tries again', async (status, code) => {
      const store = await reopenSignedIn()
      browser.answers[path] = refuseWith(status, code, 'Busy')
      await store.checkSession({ force: true, fresh: true })
      expect(store.currentSession()).toMatchObject({ state: 'signed-in', user: { id: 'u1' }, trouble: 'Busy' })
      expect([...browser.stored.keys()].sort()).toEqual(fourKeys)
      const checksBefore = checks()
      browser.answers[path] = answersOfSession()[path]!
      await vi.advanceTimersByTimeAsync(5_000)
      expect(checks()).toBe(checksBefore + 1)
      expect(store.currentSession()).toMatchObject({ state: 'signed-in', trouble: null })
    })

    it('without any answer keeps the session, says so and tries again', async () => {
      const store = await reopenSignedIn()
      browser.answers[path] = () => Promise.reject(new TypeError('Failed to fetch'))
      await store.checkSession({ force: true, fresh: true })
      expect(store.currentSession()).toMatchObject({ state: 'signed-in', user: { id: 'u1' } })
      expect(store.currentSession().trouble).not.toBeNull()
      browser.answers[path] = answersOfSession()[path]!
      await vi.advanceTimersByTimeAsync(5_000)
      expect(store.currentSession()).toMatchObject({ state: 'signed-in', trouble: null })
    })
  })

  it('at the first visit waits without an answer and goes on when one comes', async () => {
    browser.stored.set('id_token', 'token')
    browser.answers['/api/auth/permissions'] = refuseWith(503, 'service_unavailable', 'Starting')
    const store = await openPage()
    await store.checkSession()
    expect(store.currentSession()).toMatchObject({ state: 'checking', trouble: 'Starting' })
    browser.answers['/api/auth/permissions'] = answersOfSession()['/api/auth/permissions']!
    await vi.advanceTimersByTimeAsync(5_000)
    expect(store.currentSession()).toMatchObject({ state: 'signed-in', permissions: ['pendaftaran-view'] })
  })

  it('right after signing in waits for the permissions too', async () => {
    browser.answers['/api/auth/permissions'] = refuseWith(503, 'service_unavailable', 'Starting')
    const store = await openPage()
    await store.acceptSignIn(signedIn())
    expect(store.currentSession()).toMatchObject({ state: 'checking', trouble: 'Starting' })
    browser.answers['/api/auth/permissions'] = answersOfSession()['/api/auth/permissions']!
    await vi.advanceTimersByTimeAsync(5_000)
    expect(store.currentSession().state).toBe('signed-in')
  })

  it('reads the permissions anew after a refusal, also when a navigation takes the place of the repeated check', async () => {
    const store = await reopenSignedIn()
    browser.answers['/api/auth/permissions'] = refuseWith(503, 'service_unavailable', 'Busy')
    await store.checkSession({ force: true, fresh: true })
    browser.answers['/api/auth/permissions'] = () => json({ data: [{ slug: 'pindah-prodi-view' }] })
    await vi.advanceTimersByTimeAsync(1_500)
    await store.checkSession()
    expect(store.currentSession()).toMatchObject({ permissions: ['pindah-prodi-view'], trouble: null })
  })

  it('doubles the pause between checks while nothing answers', async () => {
    const store = await reopenSignedIn()
    browser.answers['/api/verify_token'] = refuseWith(503, 'service_unavailable', 'Busy')
    await store.checkSession({ force: true })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(checks()).toBeGreaterThan(3)
    expect(checks()).toBeLessThan(8)
  })

  it('a refusal of any other call with this token ends the session with its sentence', async () => {
    const store = await reopenSignedIn()
    const { call, configureClient } = await import('#web/api/client.ts')
    const { ownMenus } = await import('#domain/access/session-endpoints.ts')
    configureClient({
      sentences: () => ({ offline: '', timeout: '', unknown: '' }),
      onUnauthenticated: store.clearSession,
      onForbidden: () => {},
    })
    browser.answers['/api/auth/menus'] = refuseWith(401, 'unauthenticated', 'Please sign in')
    await call(ownMenus).catch(() => {})
    expect(store.currentSession()).toMatchObject({ state: 'signed-out', endedBecause: 'Please sign in' })
  })
})

describe('"Sign-out clears token, profile, menus and permissions"', () => {
  it('and gives no reason at sign-in', async () => {
    const store = await reopenSignedIn()
    await store.signOut()
    expect(browser.stored.size).toBe(0)
    expect(store.currentSession()).toMatchObject({ state: 'signed-out', endedBecause: null })
  })

  it('a check answered after the sign-out starts no session', async () => {
    const store = await reopenSignedIn()
    let answer = (_: Response) => {}
    browser.answers['/api/auth/my-profile'] = () => new Promise<Response>((resolve) => (answer = resolve))
    const check = store.checkSession({ force: true })
    await vi.advanceTimersByTimeAsync(0)
    await store.signOut()
    answer(json({ data: null }))
    await check
    expect(store.currentSession().state).toBe('signed-out')
    expect(browser.stored.size).toBe(0)
  })
})
