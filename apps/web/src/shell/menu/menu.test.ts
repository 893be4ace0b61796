import { expect, test, vi } from 'vitest'
import type { MenuItem } from '#domain/access/session-endpoints.ts'
import { aBrowser } from '#web-test/browser.ts'

aBrowser({})
vi.stubGlobal('location', new URL('https://pmb.test/'))
const { highlightedPath } = await import('./menu.ts')

const entry = (path: string | null, children: MenuItem[] = []): MenuItem => ({
  id: path ?? 'heading',
  name: { en: '', id: '' },
  path,
  icon: 'point',
  children,
})
const menus = [
  entry('/pendaftaran'),
  entry('/pendaftaran/voucher'),
  entry(null, [entry('/master/prodi'), entry('/master/provinsi')]),
]

test.each([
  ['/master/prodi/1/file/2', '/pendaftaran', '/pendaftaran'],
  ['/master/prodi/1', '/master/prodi', '/master/prodi'],
  ['/master/kecamatan/7', '/master/provinsi', '/master/provinsi'],
  ['/pendaftaran/voucher', '/pendaftaran', '/pendaftaran/voucher'],
  ['/master/prodi/1/file/2', '/unlisted', '/master/prodi'],
])('a screen at %s, reached from %s, highlights %s', (pathname, listPath, expected) =>
  expect(highlightedPath(menus, pathname, listPath)).toBe(expected),
)
