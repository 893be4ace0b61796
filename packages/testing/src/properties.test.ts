import { expect, test } from 'vitest'
import { runs, seed } from './form.ts'
import { fc } from './properties.ts'

test("property tests draw by the day's seed, a hundred times in the quick form", () => {
  expect(fc.readConfigureGlobal()).toMatchObject({ seed, numRuns: runs(100) })
  const drawn: number[] = []
  const draw = () => fc.assert(fc.property(fc.integer(), (number) => void drawn.push(number)))
  draw()
  draw()
  expect(drawn.slice(0, runs(100))).toEqual(drawn.slice(runs(100)))
})
