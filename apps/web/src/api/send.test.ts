import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import type { ApiError } from './client.ts'

const args = { params: z.object({ id: z.string() }), body: z.object({ amount: z.number() }), response: z.any() }
const pay = endpoint({ method: 'POST', path: '/bills/:id/pay', access: 'public', summary: 'Pay', ...args })
const change = endpoint({ method: 'PUT', path: '/bills/:id', access: 'public', summary: 'Change', ...args })

const loseAnswer = () => Promise.reject(new TypeError('Failed to fetch'))
const answerWith = (status: number, code?: string) => () =>
  Promise.resolve(new Response(JSON.stringify(code ? { message: code, code } : { data: 1 }), { status }))

let fetch: ReturnType<typeof vi.fn>
const keys = () => fetch.mock.calls.map(([, { headers }]) => headers['Idempotency-Key'] as string)
const bill = (id: string, amount: number) => ({ params: { id }, body: { amount } })

/** Loads the module again, like a newly opened page. */
async function openPage() {
  vi.resetModules()
  return (await import('./send.ts')).sendOnce
}
let send: Awaited<ReturnType<typeof openPage>>

/** Null after success, otherwise the error code. */
const outcome = (write: Promise<unknown>) =>
  write.then(
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
  fetch = vi.fn(answerWith(200))
  vi.stubGlobal('fetch', fetch)
  send = await openPage()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the key of a write', () => {
  it('is new for each write after an answer', async () => {
    await send(pay, bill('1', 5))
    await send(pay, bill('1', 5))
    expect(new Set(keys()).size).toBe(2)
    for (const key of keys()) expect(key).toMatch(/^[\w-]{8,100}$/)
  })

  it.each([
    ['no connection', loseAnswer],
    ['a server that failed', answerWith(500, 'internal')],
    ['a server that is starting', answerWith(503, 'service_unavailable')],
    ['an answer that breaks off', () => Promise.resolve(new Response('{"da', { status: 200 }))],
  ])('stays after %s, even after a reload', async (_, failing) => {
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

  it('stays after a reload during the write', async () => {
    fetch.mockImplementationOnce(() => new Promise(() => {}))
    void send(pay, bill('1', 5))
    send = await openPage()
    await send(pay, bill('1', 5))
    expect(new Set(keys()).size).toBe(1)
  })

  it('is renewed after a refusal, because nothing was done', async () => {
    fetch.mockImplementationOnce(answerWith(422, 'invalid_input'))
    expect(await outcome(send(pay, bill('1', 5)))).toBe('invalid_input')
    await send(pay, bill('1', 6))
    expect(new Set(keys()).size).toBe(2)
  })

  it('survives refusals that reveal nothing about the attempt whose answer was lost', async () => {
    fetch.mockImplementationOnce(loseAnswer)
    await outcome(send(pay, bill('1', 5)))
    for (const [status, code] of [
      [422, 'invalid_input'],
      [401, 'unauthenticated'],
      [409, 'still_working'],
    ] as const) {
      fetch.mockImplementationOnce(answerWith(status, code))
      expect(await outcome(send(pay, bill('1', 6)))).toBe(code)
    }
    await send(pay, bill('1', 6))
    expect(new Set(keys()).size).toBe(1)
  })

  it('stays for changed input after a lost answer, until the server confirms the first attempt', async () => {
    fetch.mockImplementationOnce(loseAnswer).mockImplementationOnce(answerWith(422, 'idempotency_mismatch'))
    await outcome(send(pay, bill('1', 5)))
    expect(await outcome(send(pay, bill('1', 6)))).toBe('idempotency_mismatch')
    await send(pay, bill('1', 6))
    const [first, changed, meantInAddition] = keys()
    expect(changed).toBe(first)
    expect(meantInAddition).not.toBe(first)
  })

  it('is new for changed input of a PUT', async () => {
    fetch.mockImplementationOnce(loseAnswer).mockImplementationOnce(loseAnswer)
    await outcome(send(change, bill('1', 5)))
    await outcome(send(change, bill('1', 5)))
    await send(change, bill('1', 6))
    const [first, same, other] = keys()
    expect(same).toBe(first)
    expect(other).not.toBe(first)
  })

  it('differs for each bill', async () => {
    fetch.mockImplementationOnce(loseAnswer)
    await outcome(send(pay, bill('1', 5)))
    await send(pay, bill('2', 5))
    expect(new Set(keys()).size).toBe(2)
  })

  it('is new after a day, when the server has deleted the old one', async () => {
    vi.useFakeTimers({ now: new Date('2027-01-04T01:00:00Z'), toFake: ['Date'] })
    fetch.mockImplementationOnce(loseAnswer)
    await outcome(send(pay, bill('1', 5)))
    vi.setSystemTime(new Date('2027-01-05T01:00:00Z'))
    await send(pay, bill('1', 5))
    expect(new Set(keys()).size).toBe(2)
  })
})

it('a double tap sends one request, and both calls get its answer', async () => {
  expect(await Promise.all([send(pay, bill('1', 5)), send(pay, bill('1', 5))])).toEqual([{ data: 1 }, { data: 1 }])
  expect(fetch).toHaveBeenCalledOnce()
})

it('two different simultaneous writes do not share a key', async () => {
  await Promise.all([send(pay, bill('1', 5)), send(pay, bill('1', 6))])
  expect(new Set(keys()).size).toBe(2)
})

it('a page without storage still sends', async () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(await outcome(send(pay, bill('1', 5)))).toBeNull()
})
