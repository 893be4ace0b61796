import { expect, test } from 'vitest'
import { lineOf, linesOf } from './grid-lines.ts'

test('a track added to the wave while the form is open has no places', () => {
  const lines = linesOf({ tracks: [{ trackId: 'REG', places: 40, spillTurn: 1 }] as never })
  expect(lineOf(lines, 'REG')).toEqual({ places: 40, spillTurn: 1 })
  expect(lineOf(lines, 'NEW')).toEqual({ places: 0, spillTurn: null })
})
