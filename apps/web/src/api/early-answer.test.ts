import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { call } from './client.ts'
import { readDashboardEarly } from './read-dashboard-early.ts'

const dashboard = endpoint({
  method: 'GET',
  path: '/dashboard',
  access: 'signed-in',
  summary: 'The dashboard',
  response: z.object({ data: z.string() }),
})

const answer = (data: string) => new Response(JSON.stringify({ data }))
let token: string
let language: string

beforeEach(() => {
  token = 'secret'
  language = 'id'
  vi.stubGlobal('localStorage', { getItem: () => token })
  vi.stubGlobal('document', { documentElement: { lang: 'id' }, querySelector: () => null })
  vi.stubGlobal('fetch', async () => answer('asked'))
})
afterEach(() => {
  vi.unstubAllGlobals()
  globalThis.earlyAnswer = undefined
})

const begin = (response: Promise<Response>, startedAtMs = performance.now()) => {
  globalThis.earlyAnswer = { url: '/api/dashboard', token: 'secret', language, startedAtMs, response }
}
const read = async () => (await call(dashboard)).data

test('the first read takes the answer that the page asked for, and the next one asks again', async () => {
  begin(Promise.resolve(answer('early')))
  expect(await read()).toBe('early')
  expect(await read()).toBe('asked')
})

test('an answer for another session, in another language or older than 15 seconds is not used', async () => {
  begin(Promise.resolve(answer('early')))
  token = 'of somebody else'
  expect(await read()).toBe('asked')
  token = 'secret'
  language = 'en'
  begin(Promise.resolve(answer('early')))
  expect(await read()).toBe('asked')
  language = 'id'
  begin(Promise.resolve(answer('early')), performance.now() - 16_000)
  expect(await read()).toBe('asked')
})

test('the sign-in page asks for the dashboard once, for the session that begins', async () => {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push(`${url} ${headers.Authorization}`)
    return answer('early')
  })
  readDashboardEarly('secret')
  expect(await read()).toBe('early')
  expect(requests).toEqual(['/api/dashboard Bearer secret'])
})

test('a read that failed early is made again', async () => {
  begin(Promise.reject(new TypeError('Failed to fetch')))
  expect(await read()).toBe('asked')
})
