import { describe, expect, it } from 'vitest'
import { differenceOf, type Marks, needsThird, scoreOfMarks } from './assessors.ts'

describe('two assessors of a test out of 100 who may differ by 20 percent', () => {
  it.each<[string, Marks, number | null]>([
    ['who agree: their mean', [80, 80, null], 80],
    ['who differ a little: their mean', [80, 75.5, null], 77.75],
    ['who differ by exactly the limit: their mean', [80, 60, null], 70],
    ['who differ by more: no score before the third', [80, 59.99, null], null],
    ['who differ by more: the third decides', [80, 50, 65], 65],
    ['of whom one is missing: no score yet', [80, null, null], null],
    ['who agree: a third does not count', [80, 80, 20], 80],
    ['who both gave zero: zero', [0, 0, null], 0],
  ])('%s', (_situation, marks, score) => expect(scoreOfMarks(marks, 100, 20)).toBe(score))

  it('the difference is shown once both have marked', () => {
    expect(differenceOf([80, 59.9, null])).toBe(20.1)
    expect(differenceOf([80, null, null])).toBeNull()
  })

  it('the limit follows the highest score of the test', () => {
    expect(needsThird([8, 5, null], 10, 20)).toBe(true)
    expect(needsThird([8, 5, null], 100, 20)).toBe(false)
  })
})
