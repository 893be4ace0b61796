import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { resources } from '#locales/index.ts'
import { ApiError, call, configureClient } from '#web/api/client.ts'
import { clearFailures, currentFailures } from '#web/api/failures.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { type QuietRead, quietReads } from '#web/api/quiet-reads.ts'
import { arrive } from '#web/app/lazy-page.tsx'
import { aBrowser, refused } from './browser.ts'

const thing = (path: string) =>
  endpoint({ method: 'GET', path, access: 'public', summary: 'A thing', response: z.object({ data: z.string() }) })

let browser: ReturnType<typeof aBrowser>
let leave: (() => void)[]

/** A part of a page that shows what it read. */
function aPlace(path: string, quietAs?: QuietRead) {
  const declared = thing(path)
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(declared, {}),
    queryFn: () => call(declared),
    meta: { quietAs },
  })
  const unsubscribe = observer.subscribe(() => {})
  leave.push(unsubscribe)
  return { observer, leave: unsubscribe }
}
const settled = () => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))

beforeEach(() => {
  leave = []
  browser = aBrowser({})
  configureClient({
    sentences: () => ({ offline: 'No connection', timeout: 'Too slow', unknown: 'Unknown' }),
    onUnauthenticated: () => {},
    onForbidden: () => {},
  })
})
afterEach(() => {
  for (const one of leave) one()
  queryClient.clear()
  clearFailures()
  vi.unstubAllGlobals()
})

describe("\"Failed generic GET: a dialog shows the server's message with an error icon and a button 'Try again!'; the call returns nothing\"", () => {
  it('shows the message of the server, and the place that asked has nothing', async () => {
    browser.answers['/api/bills'] = refused(500, 'internal', 'The bills cannot be read')
    const { observer } = aPlace('/bills')
    await settled()
    expect(currentFailures()).toMatchObject([{ message: 'The bills cannot be read' }])
    expect(observer.getCurrentResult()).toMatchObject({ data: undefined, isError: true })
  })

  it('calls the button "Try again!" and "Coba lagi!"', () => {
    expect(resources.en.common.actions.retry).toBe('Try again!')
    expect(resources.id.common.actions.retry).toBe('Coba lagi!')
  })

  it.each([403, 404, 409, 422, 429, 500, 503])('shows an answer of %i', async (status) => {
    browser.answers['/api/vouchers'] = refused(status, 'some_code', `Refused with ${status}`)
    aPlace('/vouchers')
    await settled()
    expect(currentFailures()).toMatchObject([{ message: `Refused with ${status}` }])
  })

  it('shows one dialog for a burst, and its button reads all of them again', async () => {
    const paths = ['/list', '/totals', '/bills', '/vouchers', '/settings']
    for (const path of paths) browser.answers[`/api${path}`] = refused(500, 'internal', 'The server is ill')
    const places = paths.map((path) => aPlace(path))
    await settled()
    expect(currentFailures()).toHaveLength(paths.length)
    expect(new Set(currentFailures().map(({ message }) => message)).size).toBe(1)

    for (const path of paths) browser.answers[`/api${path}`] = () => new Response('{"data":"there"}')
    browser.calls.length = 0
    for (const failure of currentFailures()) failure.retry()
    await settled()
    expect(browser.calls.toSorted()).toEqual(paths.map((path) => `/api${path}`).toSorted())
    expect(currentFailures()).toEqual([])
    for (const { observer } of places) expect(observer.getCurrentResult().data).toEqual({ data: 'there' })
  })

  it('closes when the read succeeds otherwise', async () => {
    browser.answers['/api/bills'] = refused(500, 'internal', 'Ill')
    const { observer } = aPlace('/bills')
    await settled()
    browser.answers['/api/bills'] = () => new Response('{"data":"there"}')
    await observer.refetch()
    expect(currentFailures()).toEqual([])
  })

  it('closes when the place that asked is left, and a read that fails afterwards opens none', async () => {
    browser.answers['/api/bills'] = refused(500, 'internal', 'Ill')
    const place = aPlace('/bills')
    await settled()
    place.leave()
    expect(currentFailures()).toEqual([])

    let answer = (_: Response) => {}
    browser.answers['/api/late'] = () => new Promise<Response>((resolve) => (answer = resolve))
    const late = aPlace('/late')
    await vi.waitFor(() => expect(browser.calls).toContain('/api/late'))
    late.leave()
    answer(refused(500, 'internal', 'Ill')())
    await settled()
    expect(currentFailures()).toEqual([])
  })

  it.each(Object.entries(quietReads))(
    'is not shown for %s where the failure is the answer (%j), and is for others',
    async (name, expected) => {
      const status = expected === 'any' || expected === 'refused' ? 404 : expected[0]
      browser.answers['/api/expected'] = refused(status, 'not_found', 'Not there')
      aPlace('/expected', name as QuietRead)
      await settled()
      expect(currentFailures()).toEqual([])
      browser.answers['/api/unexpected'] = refused(500, 'internal', 'Ill')
      aPlace('/unexpected', name as QuietRead)
      await settled()
      expect(currentFailures()).toHaveLength(expected === 'any' ? 0 : 1)
    },
  )

  it('keeps only the bell wholly quiet', () => {
    expect(Object.entries(quietReads).flatMap(([name, expected]) => (expected === 'any' ? [name] : []))).toEqual([
      'bell',
    ])
  })

  it('a session that has ended is told at sign-in, not in the dialog', async () => {
    browser.answers['/api/bills'] = refused(401, 'unauthenticated', 'Please sign in')
    aPlace('/bills')
    await settled()
    expect(currentFailures()).toEqual([])
  })
})

describe('"Failed login, register, forgot_password: the validation errors in data.errors are shown"', () => {
  it('every refused field keeps its sentence', () => {
    const error = new ApiError(422, 'invalid_input', 'Check the form', {
      email: ['Required'],
      phone: ['Too short', 'x'],
    })
    expect(error.fieldMessages).toEqual({ email: 'Required', phone: 'Too short' })
  })
})

describe('"Code-chunk load failure: \'Loading chunk failed\' after a 120 second timeout"', () => {
  it('fails after 120 seconds, not before', async () => {
    vi.useFakeTimers()
    const page = arrive(() => new Promise<never>(() => {}))
    const outcome = vi.fn()
    page.catch(outcome)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    await expect(page).rejects.toThrow('Loading chunk failed')
  })

  it('is called so on the page', () => {
    expect(resources.en.common.errors.chunkTitle).toBe('Loading chunk failed')
  })
})
