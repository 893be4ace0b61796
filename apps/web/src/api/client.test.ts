import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { ApiError, call, configureClient, urlOf } from './client.ts'

const show = endpoint({
  method: 'GET',
  path: '/things/:id',
  access: 'public',
  summary: 'A thing',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ tags: z.array(z.string()).optional(), q: z.string().optional() }),
  response: z.object({ data: z.string() }),
})

const answer = (status: number, body: unknown) =>
  vi.fn(async (_url: string, _options: RequestInit) => new Response(JSON.stringify(body), { status }))

let token: string | null
const onUnauthenticated = vi.fn()

beforeEach(() => {
  token = 'secret'
  onUnauthenticated.mockReset()
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'id_token' ? token : null) })
  vi.stubGlobal('document', { documentElement: { lang: 'id' } })
  configureClient({
    sentences: () => ({ offline: 'no connection', timeout: 'too slow', unknown: 'unknown' }),
    onUnauthenticated,
    onForbidden: () => {},
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('an address', () => {
  it('escapes its parameters and leaves out empty ones', () => {
    expect(urlOf('/things/:id', { params: { id: 'a/b' }, query: { tags: ['x', 'y'], q: '', page: undefined } })).toBe(
      '/api/things/a%2Fb?tags=x&tags=y',
    )
  })
})

const remove = endpoint({
  method: 'DELETE',
  path: '/things',
  access: 'public',
  summary: 'No things',
  response: z.object({}),
})
// @ts-expect-error a write needs a key, which `sendOnce` gives it
export const callOfWrite = () => call(remove)

describe('a call', () => {
  it('sends token and language, and returns the answer', async () => {
    const fetch = answer(200, { data: 'yes' })
    vi.stubGlobal('fetch', fetch)
    await expect(call(show, { params: { id: '1' } }, { idempotencyKey: 'k' })).resolves.toEqual({ data: 'yes' })
    expect(fetch.mock.calls[0]?.[1].headers).toMatchObject({
      Authorization: 'Bearer secret',
      'Accept-Language': 'id',
      'Idempotency-Key': 'k',
    })
  })

  it('that is refused has the sentences of every field', async () => {
    const errors = { name: ['Wajib diisi.', 'Terlalu pendek.'] }
    vi.stubGlobal('fetch', answer(422, { message: 'Periksa isian.', code: 'invalid_input', errors }))
    const error = await call(show, { params: { id: '1' } }).catch((error: ApiError) => error)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, message: 'Periksa isian.', fieldMessages: { name: 'Wajib diisi.' } })
  })

  it('that is refused returns the sentences of fields not on screen', () => {
    const beyondOf = (errors: Record<string, string[]>, fieldsOnScreen: string[]) =>
      new ApiError(422, 'invalid_input', 'Periksa isian.', errors).beyond((field) => fieldsOnScreen.includes(field))
    expect(beyondOf({ name: ['Wajib diisi.'] }, ['name'])).toBeNull()
    expect(beyondOf({ name: ['Wajib diisi.'], token: ['Kedaluwarsa.'] }, ['name'])).toBe('Kedaluwarsa.')
    expect(beyondOf({ token: ['Kedaluwarsa.'] }, ['name'])).toBe('Periksa isian. Kedaluwarsa.')
    expect(beyondOf({ token: ['Periksa isian.'] }, [])).toBe('Periksa isian.')
    expect(beyondOf({}, ['name'])).toBe('Periksa isian.')
  })

  it('without a connection says so', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(show, { params: { id: '1' } })).rejects.toMatchObject({ status: 0, message: 'no connection' })
  })

  it('with a refused token ends the session', async () => {
    vi.stubGlobal('fetch', answer(401, { message: 'x', code: 'unauthenticated' }))
    await call(show, { params: { id: '1' } }).catch(() => {})
    expect(onUnauthenticated).toHaveBeenCalledOnce()
  })

  it('with wrong credentials does not end the session', async () => {
    vi.stubGlobal('fetch', answer(401, { message: 'x', code: 'wrong_credentials' }))
    await call(show, { params: { id: '1' } }).catch(() => {})
    expect(onUnauthenticated).not.toHaveBeenCalled()
  })

  it('answered late does not end the next session', async () => {
    vi.stubGlobal('fetch', async () => {
      token = 'another'
      return new Response(JSON.stringify({ message: 'x', code: 'unauthenticated' }), { status: 401 })
    })
    await call(show, { params: { id: '1' } }).catch(() => {})
    expect(onUnauthenticated).not.toHaveBeenCalled()
  })
})
