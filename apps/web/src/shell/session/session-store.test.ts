import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aBrowser, answersOfSession, json, signedIn } from '#web-test/browser.ts'

let storage: Map<string, string>
let calls: string[]
let answers: ReturnType<typeof answersOfSession>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  ;({ stored: storage, calls, answers } = aBrowser(answersOfSession()))
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const open = () => import('./session-store.ts')
const storageNames = ['id_token', 'menus', 'permissions', 'profile_user']

describe('signing in', () => {
  it('stores the four things under their names, and only the name from the profile', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn())
    expect([...storage.keys()].sort()).toEqual(storageNames)
    expect(JSON.parse(storage.get('permissions')!)).toEqual(['pendaftaran-view'])
    expect(JSON.parse(storage.get('profile_user')!)).toMatchObject({ id: 'u1', profile: { fullName: 'Siti Aminah' } })
    expect(storage.get('profile_user')).not.toContain('3201014107060001')
    expect(store.currentSession().state).toBe('signed-in')
  })

  it('requests the profile also for staff and an unverified applicant', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn({ role: { id: 'r2', name: 'Panitia PMB' } }))
    await store.acceptSignIn(signedIn({ email_verified_at: null }))
    expect(calls.filter((url) => url === '/api/auth/my-profile')).toHaveLength(2)
  })

  it('without readable permissions leaves nobody signed in', async () => {
    answers['/api/auth/permissions'] = () => json({ message: 'x', code: 'internal' }, 500)
    const store = await open()
    await expect(store.acceptSignIn(signedIn())).rejects.toThrow()
    expect(storage.size).toBe(0)
    expect(store.currentSession().state).toBe('signed-out')
  })

  it('after a sign-out leaves the next person no path to return to, and deletes drafts', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn())
    storage.set('draft:u1:profile', '{}')
    storage.set('theme_mode', 'dark')
    await store.signOut()
    expect([...storage.keys()]).toEqual(['theme_mode'])
    expect(store.leftOnPurpose()).toBe(true)
    expect(calls).toContain('/api/logout')
  })
})

describe('the end of a session', () => {
  /** Keys whose values are deleted from a database of this browser. */
  const deletions = () => {
    const deleted: unknown[] = []
    const opening: { result: object; onsuccess?: () => void } = {
      result: {
        transaction: () => ({ objectStore: () => ({ delete: (keys: unknown) => deleted.push(keys) }) }),
        close: () => {},
      },
    }
    vi.stubGlobal('IDBKeyRange', { bound: (first: string, last: string) => [first, last] })
    vi.stubGlobal('indexedDB', {
      open: () => {
        queueMicrotask(() => opening.onsuccess?.())
        return opening
      },
    })
    return deleted
  }

  it('deletes the kept dashboard also if the server refused the token', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn())
    const deleted = deletions()
    answers['/api/verify_token'] = () => json({ message: 'x', code: 'unauthenticated' }, 401)
    await store.checkSession({ force: true })
    expect(store.currentSession().state).toBe('signed-out')
    await vi.waitFor(() => expect(deleted).toEqual([['dashboard:', 'dashboard:\uffff']]))
  })
})

describe('checking the token', () => {
  const returning = async () => {
    const first = await open()
    await first.acceptSignIn(signedIn())
    calls.length = 0
    vi.resetModules()
    return open()
  }

  it('starts from the stored session and reads permissions only if missing', async () => {
    const store = await returning()
    expect(store.currentSession()).toMatchObject({ state: 'signed-in', permissions: ['pendaftaran-view'] })
    await store.checkSession()
    expect(calls).toEqual(['/api/verify_token', '/api/auth/my-profile'])
    storage.delete('permissions')
    await store.checkSession({ force: true })
    expect(calls).toContain('/api/auth/permissions')
  })

  it('happens once for navigations close together', async () => {
    const store = await returning()
    await Promise.all([store.checkSession(), store.checkSession()])
    await store.checkSession()
    const checks = () => calls.filter((url) => url === '/api/verify_token').length
    expect(checks()).toBe(1)
    // The last of these checks still runs, one second after the first.
    await vi.advanceTimersByTimeAsync(5_000)
    expect(checks()).toBe(2)
  })

  it('that is refused ends the session', async () => {
    const store = await returning()
    answers['/api/verify_token'] = () => json({ message: 'x', code: 'unauthenticated' }, 401)
    await store.checkSession()
    expect(store.currentSession().state).toBe('signed-out')
    expect(storage.size).toBe(0)
  })

  it('that reaches no server does not end the session', async () => {
    const store = await returning()
    answers['/api/verify_token'] = () => json({ message: 'x', code: 'service_unavailable' }, 503)
    await store.checkSession()
    expect(store.currentSession().state).toBe('signed-in')
  })

  it('that finds another role reads the permissions again', async () => {
    const store = await returning()
    answers['/api/verify_token'] = () => json(signedIn({ role: { id: 'r9', name: 'Keuangan' } }))
    answers['/api/auth/permissions'] = () => json({ data: [{ slug: 'pembayaran-mahasiswa-view', name: '' }] })
    await store.checkSession()
    expect(store.currentSession().permissions).toEqual(['pembayaran-mahasiswa-view'])
  })
})
