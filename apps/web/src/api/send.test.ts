import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import type { ApiError } from './client.ts'

const args = { params: z.object({ id: z.string() }), body: z.object({ amount: z.number() }), response: z.any() }
const pay = endpoint({ method: 'POST', path: '/bills/:id/pay', access: 'public', summary: 'Pay', ...args })
const change = endpoint({ method: 'PUT', path: '/bills/:id', access: 'public', summary: 'Change', ...args })

const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const answered = (status: number, code?: string) => () =>
  Promise.resolve(new Response(JSON.stringify(code ? { message: code, code } : { data: 1 }), { status }))

let fetch: ReturnType<typeof vi.fn>
const keys = () => fetch.mock.calls.map(([, { headers }]) => headers['Idempotency-Key'] as string)
const bill = (id: string, amount: number) => ({ params: { id }, body: { amount } })

/** The module as a page that was just opened has it. */
async function openPage() {
  vi.resetModules()
  return (await import('./send.ts')).sendOnce
}
let send: Awaited<ReturnType<typeof openPage>>

/** What became of it: nothing, or the code it was refused with. */
const outcome = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (error: ApiError) => error.code,
  )

beforeEach(async () => {
  const session = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: (key: string, value: string) => session.set(key, value),
    removeItem: (key: string) => session.delete(key),
  })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('document', { documentElement: { lang: 'id' } })
  fetch = vi.fn(answered(200))
  vi.stubGlobal('fetch', fetch)
  send = await openPage()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the key of a write', () => {
  it('is another for each write that was answered', async () => {
    await send(pay, bill('1', 5))
    await send(pay, bill('1', 5))
    expect(new Set(keys()).size).toBe(2)
    for (const key of keys()) expect(key).toMatch(/^[\w-]{8,100}$/)
  })

  it.each([
    ['no connection', lost],
    ['a server that failed', answered(500, 'internal')],
    ['a server that is starting', answered(503, 'service_unavailable')],
    ['an answer that breaks off', () => Promise.resolve(new Response('{"da', { status: 200 }))],
  ])('stays after %s, also when the page is loaded anew', async (_, failing) => {
    fetch.mockImplementationOnce(failing).mockImplementationOnce(failing)
    expect(await outcome(send(pay, bill('1', 5)))).not.toBeNull()
    expect(await outcome(send(pay, bill('1', 5)))).not.toBeNull()
    send = await openPage()
    expect(await outcome(send(pay, bill('1', 5)))).toBeNull()
    await send(pay, bill('1', 5))
    const [first, second, afterReload, next] = keys()
    expect([second, afterReload]).toEqual([first, first])
    expect(next).not.toBe(first)
  })

  it('stays when the page is loaded anew while the write is on its way', async () => {
    fetch.mockImplementationOnce(() => new Promise(() => {}))
    void send(pay, bill('1', 5))
    send = await openPage()
    await send(pay, bill('1', 5))
    expect(new Set(keys()).size).toBe(1)
  })

  it('is renewed after a refusal, because nothing was done', async () => {
    fetch.mockImplementationOnce(answered(422, 'invalid_input'))
    expect(await outcome(send(pay, bill('1', 5)))).toBe('invalid_input')
    await send(pay, bill('1', 6))
    expect(new Set(keys()).size).toBe(2)
  })

  it('outlives refusals that tell nothing of the try whose answer was lost', async () => {
    fetch.mockImplementationOnce(lost)
    await outcome(send(pay, bill('1', 5)))
    for (const [status, code] of [
      [422, 'invalid_input'],
      [401, 'unauthenticated'],
      [409, 'still_working'],
    ] as const) {
      fetch.mockImplementationOnce(answered(status, code))
      expect(await outcome(send(pay, bill('1', 6)))).toBe(code)
    }
    await send(pay, bill('1', 6))
    expect(new Set(keys()).size).toBe(1)
  })

  it('is kept for changed input after a lost answer, until the server says that the first was received', async () => {
    fetch.mockImplementationOnce(lost).mockImplementationOnce(answered(422, 'idempotency_mismatch'))
    await outcome(send(pay, bill('1', 5)))
    expect(await outcome(send(pay, bill('1', 6)))).toBe('idempotency_mismatch')
    await send(pay, bill('1', 6))
    const [first, changed, meantInAddition] = keys()
    expect(changed).toBe(first)
    expect(meantInAddition).not.toBe(first)
  })

  it('is another for changed input of what is only set to a value', async () => {
    fetch.mockImplementationOnce(lost).mockImplementationOnce(lost)
    await outcome(send(change, bill('1', 5)))
    await outcome(send(change, bill('1', 5)))
    await send(change, bill('1', 6))
    const [first, same, other] = keys()
    expect(same).toBe(first)
    expect(other).not.toBe(first)
  })

  it('is its own for each bill', async () => {
    fetch.mockImplementationOnce(lost)
    await outcome(send(pay, bill('1', 5)))
    await send(pay, bill('2', 5))
    expect(new Set(keys()).size).toBe(2)
  })

  it('is given up after a day, when the server has forgotten it', async () => {
    vi.useFakeTimers({ now: new Date('2027-01-04T01:00:00Z'), toFake: ['Date'] })
    fetch.mockImplementationOnce(lost)
    await outcome(send(pay, bill('1', 5)))
    vi.setSystemTime(new Date('2027-01-05T01:00:00Z'))
    await send(pay, bill('1', 5))
    expect(new Set(keys()).size).toBe(2)
  })
})

it('a double tap is one transmission, and both get its answer', async () => {
  expect(await Promise.all([send(pay, bill('1', 5)), send(pay, bill('1', 5))])).toEqual([{ data: 1 }, { data: 1 }])
  expect(fetch).toHaveBeenCalledOnce()
})

it('two different writes at the same moment do not share a key', async () => {
  await Promise.all([send(pay, bill('1', 5)), send(pay, bill('1', 6))])
  expect(new Set(keys()).size).toBe(2)
})

it('a page without storage sends all the same', async () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(await outcome(send(pay, bill('1', 5)))).toBeNull()
})
