import { vi } from 'vitest'

export const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

export const refuseWith = (status: number, code: string, message: string) => () => json({ message, code }, status)

/**
 * Replaces the browser's storage, document and fetch: a page in English and a server that answers from `answers` by
 * path.
 */
export function aBrowser(answers: Record<string, () => Response | Promise<Response>>) {
  const stored = new Map<string, string>()
  const tab = new Map<string, string>()
  const calls: string[] = []
  vi.stubGlobal('localStorage', aStorage(stored))
  vi.stubGlobal('sessionStorage', aStorage(tab))
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url)
    return (answers[url] ?? (() => json({}, 404)))()
  })
  return { stored, tab, calls, answers }
}

const aStorage = (stored: Map<string, string>) =>
  new Proxy(
    {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )

const user = {
  id: 'u1',
  name: 'Siti',
  email: 'siti@example.com',
  email_verified_at: '2026-11-01T00:00:00Z',
  role: { id: 'r1', name: 'Mahasiswa' },
}

/** The answer to a successful sign-in or token check. */
export const signedIn = (changes: object = {}) => ({
  access_token: 'token',
  token_type: 'Bearer' as const,
  expires_at: '',
  user: { ...user, ...changes },
})

/** Answers of a server that knows the token. */
export const answersOfSession = (): Record<string, () => Response | Promise<Response>> => ({
  '/api/verify_token': () => json(signedIn()),
  '/api/auth/permissions': () => json({ data: [{ slug: 'pendaftaran-view', name: '' }] }),
  '/api/auth/menus': () => json({ data: [] }),
  '/api/auth/my-profile': () => json({ data: { fullName: 'Siti Aminah', nik: '3201014107060001' } }),
  '/api/logout': () => json({ data: { message: '' } }),
})
