import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const user = (over: object = {}) => ({
  id: 'u1',
  name: 'Siti',
  email: 'siti@example.com',
  email_verified_at: '2026-11-01T00:00:00Z',
  role: { id: 'r1', name: 'Mahasiswa' },
  ...over,
})
const signedIn = (over?: object) => ({
  access_token: 'token',
  token_type: 'Bearer' as const,
  expires_at: '',
  user: user(over),
})

let kept: Map<string, string>
let calls: string[]
let answers: Record<string, () => Response>

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

beforeEach(() => {
  kept = new Map()
  calls = []
  answers = {
    '/api/verify_token': () => json(signedIn()),
    '/api/auth/permissions': () => json({ data: [{ slug: 'pendaftaran-view', name: '' }] }),
    '/api/auth/menus': () => json({ data: [] }),
    '/api/auth/my-profile': () => json({ data: { fullName: 'Siti Aminah', nik: '3201014107060001' } }),
    '/api/logout': () => json({ data: { message: '' } }),
  }
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  }
  vi.stubGlobal(
    'localStorage',
    new Proxy(storage, {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
  )
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    return (answers[url] ?? (() => json({}, 404)))()
  })
  vi.resetModules()
})
afterEach(() => vi.unstubAllGlobals())

const open = () => import('./session-store.ts')
const spoken = ['id_token', 'menus', 'permissions', 'profile_user']

describe('signing in', () => {
  it('keeps the four things under their names, and of the profile only the name', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn())
    expect([...kept.keys()].sort()).toEqual(spoken)
    expect(JSON.parse(kept.get('permissions')!)).toEqual(['pendaftaran-view'])
    expect(JSON.parse(kept.get('profile_user')!)).toMatchObject({ id: 'u1', profile: { fullName: 'Siti Aminah' } })
    expect(kept.get('profile_user')).not.toContain('3201014107060001')
    expect(store.currentSession().state).toBe('signed-in')
  })

  it('of staff or of an unverified applicant asks for no profile', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn({ role: { id: 'r2', name: 'Panitia PMB' } }))
    await store.acceptSignIn(signedIn({ email_verified_at: null }))
    expect(calls).not.toContain('/api/auth/my-profile')
  })

  it('whose permissions cannot be read leaves nobody signed in', async () => {
    answers['/api/auth/permissions'] = () => json({ message: 'x', code: 'internal' }, 500)
    const store = await open()
    await expect(store.acceptSignIn(signedIn())).rejects.toThrow()
    expect(kept.size).toBe(0)
    expect(store.currentSession().state).toBe('signed-out')
  })

  it('leaves no way back for the next person after signing out, and forgets drafts', async () => {
    const store = await open()
    await store.acceptSignIn(signedIn())
    kept.set('draft:u1:profile', '{}')
    kept.set('theme_mode', 'dark')
    await store.signOut()
    expect([...kept.keys()]).toEqual(['theme_mode'])
    expect(store.leftOnPurpose()).toBe(true)
    expect(calls).toContain('/api/logout')
  })
})

describe('checking the token', () => {
  const returning = async () => {
    const first = await open()
    await first.acceptSignIn(signedIn())
    calls = []
    vi.resetModules()
    return open()
  }

  it('starts from what is kept and reads permissions only when absent', async () => {
    const store = await returning()
    expect(store.currentSession()).toMatchObject({ state: 'signed-in', permissions: ['pendaftaran-view'] })
    await store.checkSession()
    expect(calls).toEqual(['/api/verify_token', '/api/auth/my-profile'])
    kept.delete('permissions')
    await store.checkSession({ force: true })
    expect(calls).toContain('/api/auth/permissions')
  })

  it('happens once for navigations close together', async () => {
    const store = await returning()
    await Promise.all([store.checkSession(), store.checkSession()])
    await store.checkSession()
    expect(calls.filter((url) => url === '/api/verify_token')).toHaveLength(1)
  })

  it('that is refused ends the session', async () => {
    const store = await returning()
    answers['/api/verify_token'] = () => json({ message: 'x', code: 'unauthenticated' }, 401)
    await store.checkSession()
    expect(store.currentSession().state).toBe('signed-out')
    expect(kept.size).toBe(0)
  })

  it('that finds no server ends nothing', async () => {
    const store = await returning()
    answers['/api/verify_token'] = () => json({ message: 'x', code: 'service_unavailable' }, 503)
    await store.checkSession()
    expect(store.currentSession().state).toBe('signed-in')
  })

  it('that finds another role reads the permissions anew', async () => {
    const store = await returning()
    answers['/api/verify_token'] = () => json(signedIn({ role: { id: 'r9', name: 'Keuangan' } }))
    answers['/api/auth/permissions'] = () => json({ data: [{ slug: 'pembayaran-mahasiswa-view', name: '' }] })
    await store.checkSession()
    expect(store.currentSession().permissions).toEqual(['pembayaran-mahasiswa-view'])
  })
})
