import { act, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { lazyPart } from './lazy-part.ts'

it('a part whose script cannot be loaded comes once the line is back, and the page stays meanwhile', async () => {
  vi.useFakeTimers()
  let isOnline = false
  const Part = lazyPart(async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>Part</p> }
  })
  render(
    <>
      <p>Page</p>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </>,
  )
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.getByText('Page')).toBeTruthy()
  expect(screen.queryByText('Part')).toBeNull()
  isOnline = true
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(screen.getByText('Part')).toBeTruthy()
  vi.useRealTimers()
})
