import { afterEach, describe, expect, it, vi } from 'vitest'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { arrive } from './lazy-page.tsx'

afterEach(() => vi.useRealTimers())

describe('a script of a page', () => {
  it('arrives', async () => {
    await expect(arrive(async () => 'page')).resolves.toBe('page')
  })

  it('fails with one kind of error, whatever the browser calls it', async () => {
    const arrival = arrive(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
    await expect(arrival).rejects.toMatchObject({ name: 'ChunkLoadError', message: 'Loading chunk failed' })
  })

  it('does not arrive within two minutes', async () => {
    vi.useFakeTimers()
    const rejection = expect(arrive(() => new Promise(() => {}))).rejects.toThrow('Loading chunk failed')
    expect(navigationConstants.chunkLoadTimeout).toBe(120_000)
    await vi.advanceTimersByTimeAsync(120_000)
    await rejection
  })
})
