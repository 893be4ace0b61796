import { describe, expect, test } from 'vitest'
import { type DecisionFacts, problemsOfAccepting } from './decision-checks.ts'

const acceptable: DecisionFacts = {
  hasTest: true,
  seatStatus: 'attended',
  tests: [{ name: 'CBT', score: 80, passingGrade: 60 }],
  total: 80,
  openDocuments: [],
  feeOwed: 0,
}
const failedChecks = (changes: Partial<DecisionFacts>, passingGrade: number | null = 70) =>
  problemsOfAccepting({ ...acceptable, ...changes }, passingGrade).map(({ check }) => check)

describe('reasons against accepting', () => {
  test.each<[string, Partial<DecisionFacts>, string[]]>([
    ['nothing', {}, []],
    [
      'a test without a score',
      { tests: [{ name: 'CBT', score: null, passingGrade: null }], total: null },
      ['test_missing'],
    ],
    [
      'a track with a test, no test planned, nobody came',
      { tests: [], total: null, seatStatus: null },
      ['test_missing'],
    ],
    ['no test planned, but somebody came', { tests: [], total: null }, []],
    ['a track without a test', { hasTest: false, tests: [], total: null, seatStatus: null }, []],
    ['a total below the grade of the programme', { total: 69.99 }, ['score_below']],
    ['a test below its own grade', { tests: [{ name: 'CBT', score: 59, passingGrade: 60 }] }, ['score_below']],
    [
      'an open document and an unpaid fee',
      { openDocuments: ['Ijazah'], feeOwed: 250_000 },
      ['documents_open', 'fee_open'],
    ],
  ])('%s', (_, facts, expected) => expect(failedChecks(facts)).toEqual(expected))

  test('accepts a total equal to the grade', () => expect(failedChecks({ total: 70 })).toEqual([]))
  test('accepts any total for a programme without a grade', () => expect(failedChecks({ total: 1 }, null)).toEqual([]))
})
