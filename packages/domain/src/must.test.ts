import { expect, test } from 'vitest'
import { mustGet, theOnly } from './must.ts'

test('the only row is returned; none and several throw', () => {
  expect(theOnly([{ count: 0 }])).toEqual({ count: 0 })
  expect(() => theOnly([])).toThrow('not 0')
  expect(() => theOnly([1, 2])).toThrow('not 2')
})

test('a key of the map returns its value; any other throws with its name', () => {
  const places = new Map([['S1', 0]])
  expect(mustGet(places, 'S1')).toBe(0)
  expect(() => mustGet(places, 'S2')).toThrow('S2')
})
