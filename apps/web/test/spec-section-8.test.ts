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
import { aBrowser, refuseWith } from './browser.ts'

const endpointAt = (path: string) =>
  endpoint({ method: 'GET', path, access: 'public', summary: 'A thing', response: z.object({ data: z.string() }) })

let browser: ReturnType<typeof aBrowser>
let unsubscribers: (() => void)[]

/** Subscribes to a read, as a part of a page that shows its answer. */
function showRead(path: string, quietAs?: QuietRead) {
  const endpointOfPath = endpointAt(path)
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(endpointOfPath, {}),
    queryFn: () => call(endpointOfPath),
    meta: { quietAs },
  })
  const unsubscribe = observer.subscribe(() => {})
  unsubscribers.push(unsubscribe)
  return { observer, leave: unsubscribe }
}
const waitUntilIdle = () => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))

beforeEach(() => {
  unsubscribers = []
  browser = aBrowser({})
  configureClient({
    sentences: () => ({ offline: 'No connection', timeout: 'Too slow', unknown: 'Unknown' }),
    onUnauthenticated: () => {},
    onForbidden: () => {},
  })
})
afterEach(() => {
  for (const unsubscribeOne of unsubscribers) unsubscribeOne()
  queryClient.clear()
  clearFailures()
  vi.unstubAllGlobals()
})

describe("\"Failed generic GET: a dialog shows the server's message with an error icon and a button 'Try again!'; the call returns nothing\"", () => {
  it('shows the message of the server, and the failed read has no data', async () => {
    browser.answers['/api/bills'] = refuseWith(500, 'internal', 'The bills cannot be read')
    const { observer } = showRead('/bills')
    await waitUntilIdle()
    expect(currentFailures()).toMatchObject([{ message: 'The bills cannot be read' }])
    expect(observer.getCurrentResult()).toMatchObject({ data: undefined, isError: true })
  })

  it('labels the button "Try again!" and "Coba lagi!"', () => {
    expect(resources.en.common.actions.retry).toBe('Try again!')
    expect(resources.id.common.actions.retry).toBe('Coba lagi!')
  })

  it.each([403, 409, 422, 429, 500, 503])('shows an answer of %i', async (status) => {
    browser.answers['/api/vouchers'] = refuseWith(status, 'some_code', `Refused with ${status}`)
    showRead('/vouchers')
    await waitUntilIdle()
    expect(currentFailures()).toMatchObject([{ message: `Refused with ${status}` }])
  })

  it('opens no dialog for a record that does not exist: the page says so, and a second try finds nothing either', async () => {
    browser.answers['/api/vouchers'] = refuseWith(404, 'not_found', 'Not found')
    const { observer } = showRead('/vouchers')
    await waitUntilIdle()
    expect(observer.getCurrentResult().error).toMatchObject({ status: 404 })
    expect(currentFailures()).toEqual([])
  })

  it('shows one dialog for a burst, and its button reads all of them again', async () => {
    const paths = ['/list', '/totals', '/bills', '/vouchers', '/settings']
    for (const path of paths) browser.answers[`/api${path}`] = refuseWith(500, 'internal', 'The server is ill')
    const places = paths.map((path) => showRead(path))
    await waitUntilIdle()
    expect(currentFailures()).toHaveLength(paths.length)
    expect(new Set(currentFailures().map(({ message }) => message)).size).toBe(1)

    for (const path of paths) browser.answers[`/api${path}`] = () => new Response('{"data":"there"}')
    browser.calls.length = 0
    for (const failure of currentFailures()) failure.retry()
    await waitUntilIdle()
    expect(browser.calls.toSorted()).toEqual(paths.map((path) => `/api${path}`).toSorted())
    expect(currentFailures()).toEqual([])
    for (const { observer } of places) expect(observer.getCurrentResult().data).toEqual({ data: 'there' })
  })

  it('closes when the read succeeds otherwise', async () => {
    browser.answers['/api/bills'] = refuseWith(500, 'internal', 'Ill')
    const { observer } = showRead('/bills')
    await waitUntilIdle()
    browser.answers['/api/bills'] = () => new Response('{"data":"there"}')
    await observer.refetch()
    expect(currentFailures()).toEqual([])
  })

  it('closes when the failed read is unmounted, and a read that fails afterwards opens none', async () => {
    browser.answers['/api/bills'] = refuseWith(500, 'internal', 'Ill')
    const place = showRead('/bills')
    await waitUntilIdle()
    place.leave()
    expect(currentFailures()).toEqual([])

    let answer = (_: Response) => {}
    browser.answers['/api/late'] = () => new Promise<Response>((resolve) => (answer = resolve))
    const lateRead = showRead('/late')
    await vi.waitFor(() => expect(browser.calls).toContain('/api/late'))
    lateRead.leave()
    answer(refuseWith(500, 'internal', 'Ill')())
    await waitUntilIdle()
    expect(currentFailures()).toEqual([])
  })

  it.each(Object.entries(quietReads))(
    'is not shown for %s where the failure is the answer (%j), and is for others',
    async (name, expected) => {
      const status = expected === 'any' || expected === 'refused' ? 404 : expected[0]
      browser.answers['/api/expected'] = refuseWith(status, 'not_found', 'Not there')
      showRead('/expected', name as QuietRead)
      await waitUntilIdle()
      expect(currentFailures()).toEqual([])
      browser.answers['/api/unexpected'] = refuseWith(500, 'internal', 'Ill')
      showRead('/unexpected', name as QuietRead)
      await waitUntilIdle()
      expect(currentFailures()).toHaveLength(expected === 'any' ? 0 : 1)
    },
  )

  it('keeps only the bell wholly quiet', () => {
    expect(Object.entries(quietReads).flatMap(([name, expected]) => (expected === 'any' ? [name] : []))).toEqual([
      'bell',
    ])
  })

  it('an ended session is explained at sign-in, not in the dialog', async () => {
    browser.answers['/api/bills'] = refuseWith(401, 'unauthenticated', 'Please sign in')
    showRead('/bills')
    await waitUntilIdle()
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

  it('has this text on the page', () => {
    expect(resources.en.common.errors.chunkTitle).toBe('Loading chunk failed')
  })
})
