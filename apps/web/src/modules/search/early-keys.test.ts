import { describe, expect, it } from 'vitest'
import { addEarlyKey } from './early-keys.ts'

const press = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more,
})
const type = (...keys: string[]) => keys.reduce((query, key) => addEarlyKey(query, press(key)) ?? query, '')

describe('keys pressed after Ctrl + K, before the search field has the focus', () => {
  it('are all kept, letters and spaces, from the first on', () => expect(type(...'siti a')).toBe('siti a'))
  it('can delete the last letter', () => expect(type('s', 'x', 'Backspace', 'i')).toBe('si'))
  it('keep Enter from the focused element', () => expect(addEarlyKey('siti', press('Enter'))).toBe('siti'))
  it.each([
    press('Escape'),
    press('Tab'),
    press('Shift'),
    press('k', { ctrlKey: true }),
    press('a', { isComposing: true }),
  ])('leaves $key to the browser', (key) => expect(addEarlyKey('siti', key)).toBeNull())
})
