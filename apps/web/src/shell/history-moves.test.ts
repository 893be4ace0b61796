import { expect, test, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => {})
const { pushEachAddressOnce } = await import('./history-moves.ts')

/** A history like a browser's, as far as the router uses it. */
function aHistory(start: string) {
  const entries = [{ state: { idx: 0 } as unknown, href: start }]
  const last = () => entries.at(-1)!
  const entryOf = (state: unknown, url: string | URL | null | undefined) => ({
    state,
    href: new URL(url ?? '', last().href).href,
  })
  const past = {
    get state() {
      return last().state
    },
    pushState: (state: unknown, _: string, url?: string | URL | null) => void entries.push(entryOf(state, url)),
    replaceState: (state: unknown, _: string, url?: string | URL | null) =>
      void entries.splice(-1, 1, entryOf(state, url)),
  }
  pushEachAddressOnce(past, () => last().href)
  return { past, entries }
}

test('the second click of a double click adds no entry, and the entry keeps its index', () => {
  const { past, entries } = aHistory('https://pmb.test/pendaftaran?q=Gita')
  past.pushState({ idx: 1 }, '', '/pendaftaran/7')
  past.pushState({ idx: 2, usr: { opensRows: true } }, '', '/pendaftaran/7')
  expect(entries.map(({ href }) => href)).toEqual([
    'https://pmb.test/pendaftaran?q=Gita',
    'https://pmb.test/pendaftaran/7',
  ])
  expect(entries.at(-1)!.state).toEqual({ idx: 1, usr: { opensRows: true } })
})

test('another query or anchor on the same page gets its own entry', () => {
  const { past, entries } = aHistory('https://pmb.test/pendaftaran')
  past.pushState({ idx: 1 }, '', '/pendaftaran?page=2')
  past.pushState({ idx: 2 }, '', '/pendaftaran?page=2#7')
  past.pushState({ idx: 3 }, '', '/pendaftaran')
  expect(entries).toHaveLength(4)
})
