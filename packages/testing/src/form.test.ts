import { expect, test } from 'vitest'
import { isWhole, randomOf, sampleOf, shuffled } from './form.ts'

const hundred = Array.from({ length: 100 }, (_, index) => index)

test('the same name draws the same elements, another name others', () => {
  expect(shuffled('one', hundred)).toEqual(shuffled('one', hundred))
  expect(shuffled('one', hundred)).not.toEqual(shuffled('two', hundred))
  expect(shuffled('one', hundred).toSorted((a, b) => a - b)).toEqual(hundred)
})

test('a sample keeps the order, never repeats an element, and is complete in the whole form', () => {
  const sample = sampleOf('sample', hundred, 10)
  expect(sample).toHaveLength(isWhole ? 100 : 10)
  expect(sample).toEqual([...new Set(sample)].toSorted((a, b) => a - b))
  expect(sampleOf('small', [1, 2], 10)).toEqual([1, 2])
})

test('random numbers spread evenly from 0 to below 1', () => {
  const random = randomOf('spread')
  const numbers = Array.from({ length: 2_000 }, random)
  for (const tenth of hundred.slice(0, 10)) {
    const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length / numbers.length
    expect(share).toBeGreaterThan(0.06)
    expect(share).toBeLessThan(0.14)
  }
})
