import { expect, it } from 'vitest'
import { safeFileName, uniqueNames } from './file-names.ts'

it('names that differ only in case get different names', () => {
  const unique = uniqueNames()
  expect([unique('a', 'pdf'), unique('A', 'pdf'), unique('a', 'jpg')]).toEqual(['a.pdf', 'A (2).pdf', 'a.jpg'])
})

it('a name made up for a duplicate is not given to a file already called that', () => {
  const unique = uniqueNames()
  const names = ['Foo', 'Foo', 'Foo (2)', 'foo', 'Foo (2)'].map((name) => unique(name, 'pdf'))
  expect(names).toEqual(['Foo.pdf', 'Foo (2).pdf', 'Foo (2) (2).pdf', 'foo (3).pdf', 'Foo (2) (3).pdf'])
})

it('thousands of equal names become unique without retrying all of them', () => {
  const unique = uniqueNames((count) => `_(${count})`)
  const names = Array.from({ length: 20_000 }, () => unique('foto', 'jpg'))
  expect(new Set(names).size).toBe(20_000)
  expect(names.at(-1)).toBe('foto_(20000).jpg')
})

it.each([
  ['...', ''],
  ['. .', ''],
  ['CON', '_CON'],
  ['nul.backup', '_nul.backup'],
  ['Com1', '_Com1'],
  ['LPT9 .x', '_LPT9 .x'],
  ['COMA', 'COMA'],
  ['Konsep', 'Konsep'],
  ['../../etc/passwd', 'etc passwd'],
  ['a\u202efdp.exe', 'a fdp.exe'],
])('%j is safe as %j', (text, name) => {
  expect(safeFileName(text)).toBe(name)
})

it('a cut name does not end in a space or dot', () => {
  expect(safeFileName(`${'a'.repeat(98)}. b`)).toBe('a'.repeat(98))
})
