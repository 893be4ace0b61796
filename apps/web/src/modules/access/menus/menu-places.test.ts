import { describe, expect, test } from 'vitest'
import { drop, type Place, placesOf, step } from './menu-places.ts'

/** A(a, b), C, D(e): A and D are headings, the others have a path. */
const places: Place[] = [
  { id: 'A', parentId: null },
  { id: 'a', parentId: 'A' },
  { id: 'b', parentId: 'A' },
  { id: 'C', parentId: null },
  { id: 'D', parentId: null },
  { id: 'e', parentId: 'D' },
]
const menusById = new Map(
  ['A', 'a', 'b', 'C', 'D', 'e'].map((id) => [id, { path: id === 'A' || id === 'D' ? null : `/${id}` }]),
)
const lineUp = (result: Place[] | undefined) => result?.map(({ id, parentId }) => `${parentId ?? ''}${id}`).join(' ')

describe('moving a menu by buttons', () => {
  test('up and down move a menu with everything below it', () => {
    expect(lineUp(step(places, 'D', 'up', menusById))).toBe('A Aa Ab D De C')
    expect(lineUp(step(places, 'A', 'down', menusById))).toBe('C A Aa Ab D De')
  })
  test('the first cannot move up, nor the last down', () => {
    expect(step(places, 'A', 'up', menusById)).toBeUndefined()
    expect(step(places, 'D', 'down', menusById)).toBeUndefined()
  })
  test('in moves into the heading before it, never into an entry with an address', () => {
    expect(lineUp(step(places, 'C', 'in', menusById))).toBe('A Aa Ab AC D De')
    expect(step(places, 'D', 'in', menusById)).toBeUndefined()
  })
  test('out moves to after its heading', () => {
    expect(lineUp(step(places, 'a', 'out', menusById))).toBe('A Ab a C D De')
  })
})

describe('dragging a menu', () => {
  test('moves to another place on its level', () => {
    expect(lineUp(drop(places, 'b', 'a', 0, menusById))).toBe('A Ab Aa C D De')
    expect(lineUp(drop(places, 'C', 'A', 0, menusById))).toBe('C A Aa Ab D De')
  })
  test('to the right moves into the heading above, to the left out of it', () => {
    expect(lineUp(drop(places, 'C', 'C', 1, menusById))).toBe('A Aa Ab AC D De')
    expect(lineUp(drop(places, 'b', 'b', -1, menusById))).toBe('A Aa b C D De')
  })
  test("between a heading's entries moves into that heading", () => {
    expect(lineUp(drop(places, 'C', 'b', 0, menusById))).toBe('A Aa AC Ab D De')
  })
  test('never moves into itself', () => {
    expect(lineUp(drop(places, 'A', 'b', 1, menusById))).toBe('A Aa Ab C D De')
  })
  test('the order read from the server is depth first', () => {
    expect(lineUp(placesOf(places.toReversed()))).toBe('D De C A Ab Aa')
  })
})
