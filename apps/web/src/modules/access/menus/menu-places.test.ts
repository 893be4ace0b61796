import { describe, expect, test } from 'vitest'
import { drop, type Place, placesOf, step } from './menu-places.ts'

/** A(a, b), C, D(e): capital letters are headings but C. */
const places: Place[] = [
  { id: 'A', parentId: null },
  { id: 'a', parentId: 'A' },
  { id: 'b', parentId: 'A' },
  { id: 'C', parentId: null },
  { id: 'D', parentId: null },
  { id: 'e', parentId: 'D' },
]
const known = new Map(
  ['A', 'a', 'b', 'C', 'D', 'e'].map((id) => [id, { path: id === 'A' || id === 'D' ? null : `/${id}` }]),
)
const told = (result: Place[] | undefined) => result?.map(({ id, parentId }) => `${parentId ?? ''}${id}`).join(' ')

describe('moving a menu by buttons', () => {
  test('up and down take what stands under it along', () => {
    expect(told(step(places, 'D', 'up', known))).toBe('A Aa Ab D De C')
    expect(told(step(places, 'A', 'down', known))).toBe('C A Aa Ab D De')
  })
  test('the first does not go up, the last not down', () => {
    expect(step(places, 'A', 'up', known)).toBeUndefined()
    expect(step(places, 'D', 'down', known)).toBeUndefined()
  })
  test('into the heading before it, never into an entry with an address', () => {
    expect(told(step(places, 'C', 'in', known))).toBe('A Aa Ab AC D De')
    expect(step(places, 'D', 'in', known)).toBeUndefined()
  })
  test('out behind the heading it stood in', () => {
    expect(told(step(places, 'a', 'out', known))).toBe('A Ab a C D De')
  })
})

describe('dragging a menu', () => {
  test('to another place on its level', () => {
    expect(told(drop(places, 'b', 'a', 0, known))).toBe('A Ab Aa C D De')
    expect(told(drop(places, 'C', 'A', 0, known))).toBe('C A Aa Ab D De')
  })
  test('to the right it goes into the heading above it, to the left out of it', () => {
    expect(told(drop(places, 'C', 'C', 1, known))).toBe('A Aa Ab AC D De')
    expect(told(drop(places, 'b', 'b', -1, known))).toBe('A Aa b C D De')
  })
  test('between the entries of a heading it belongs to that heading', () => {
    expect(told(drop(places, 'C', 'b', 0, known))).toBe('A Aa AC Ab D De')
  })
  test('never into itself', () => {
    expect(told(drop(places, 'A', 'b', 1, known))).toBe('A Aa Ab C D De')
  })
  test('the order read from the server is depth first', () => {
    expect(told(placesOf(places.toReversed()))).toBe('D De C A Ab Aa')
  })
})
