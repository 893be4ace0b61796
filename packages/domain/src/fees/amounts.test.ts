import { describe, expect, test } from 'vitest'
import { adjustAmount, readAmount, readBlock } from './amounts.ts'
import { isWholePlan, termProblems } from './instalment-plan.ts'
import { compareFees, type FeeScope, feeParts, feesTie, rankFees, whyItWins } from './registration-fee-rule.ts'

describe('raising an amount', () => {
  test.each([
    [6_500_000, 500, 1, 6_825_000],
    [6_500_000, 500, 50_000, 6_850_000],
    [6_500_000, 375, 10_000, 6_740_000],
    [333_333, 0, 1_000, 333_000],
    [335_500, 0, 1_000, 336_000],
    [1_000_000, -1_000, 50_000, 900_000],
    [1_000_000_000_000, 10_000, 1, 2_000_000_000_000],
  ] as const)('%i by %i hundredths of a percent, to %i', (amount, basisPoints, roundTo, expected) => {
    expect(adjustAmount(amount, { basisPoints, roundTo })).toBe(expected)
  })
  test('zero stays zero, and a positive amount never becomes zero', () => {
    expect(adjustAmount(0, { basisPoints: 500, roundTo: 50_000 })).toBe(0)
    expect(adjustAmount(20_000, { basisPoints: 0, roundTo: 50_000 })).toBe(50_000)
  })
})

describe('a typed or pasted amount', () => {
  test.each([
    ['Rp 1.000.000', 1_000_000],
    ['1,000,000.00', 1_000_000],
    ['1.000.000,00', 1_000_000],
    ['750000', 750_000],
    ['0', 0],
    ['  ', null],
    ['-', null],
    ['1.5', undefined],
    ['12.00.000', undefined],
    ['satu juta', undefined],
    ['-500', undefined],
    ['9999999999999', undefined],
  ])('%s', (input, expected) => {
    expect(readAmount(input)).toBe(expected)
  })
  test('a block keeps its empty cells and has no row for its last line end', () => {
    expect(readBlock('1\t\t3\r\n4\t5\t6\r\n')).toEqual([
      ['1', '', '3'],
      ['4', '5', '6'],
    ])
  })
})

describe('terms of a plan', () => {
  const term = (
    shareBps: number | null,
    amount: number | null,
    dueDays: number | null,
    dueDate: string | null = null,
  ) => ({
    shareBps,
    amount,
    dueDays,
    dueDate,
  })
  test('shares divide everything or are absent', () => {
    expect(isWholePlan([])).toBe(false)
    expect(isWholePlan([term(9_999, null, 7)])).toBe(false)
    expect(isWholePlan([term(10_000, null, 7)])).toBe(true)
    expect(isWholePlan([term(null, 500_000, 0), term(10_000, null, 7)])).toBe(true)
    expect(isWholePlan([term(null, 500_000, 0), term(5_000, null, 7)])).toBe(false)
    expect(isWholePlan([term(null, 500_000, 0), term(null, 500_000, 7)])).toBe(true)
  })
  test('all problems are reported at once', () => {
    const problems = termProblems([term(4_000, 1, 30), term(4_000, null, 7), term(1_000, null, null)])
    expect(problems).toEqual([
      { index: 0, field: 'shareBps', code: 'give_exactly_one_part' },
      { index: 1, field: 'dueDays', code: 'due_dates_backwards' },
      { index: 2, field: 'dueDays', code: 'give_exactly_one_due' },
    ])
    expect(termProblems([term(4_000, null, 7)])).toEqual([{ index: null, field: 'terms', code: 'shares_not_whole' }])
    expect(termProblems([])).toEqual([])
  })
})

describe('the registration fee that applies', () => {
  const allScopes: FeeScope[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
    trackId: bits & 4 ? 'track' : null,
    entryLevelId: bits & 2 ? 'level' : null,
    classProgrammeId: bits & 1 ? 'class' : null,
  }))
  const question = { trackId: 'track', entryLevelId: 'level', classProgrammeId: 'class' }

  test('more named parts first, then track, entry level, class programme', () => {
    const order = rankFees(allScopes, question).map((row) => feeParts.filter((part) => row[part]).join('+'))
    expect(order).toEqual([
      'trackId+entryLevelId+classProgrammeId',
      'trackId+entryLevelId',
      'trackId+classProgrammeId',
      'entryLevelId+classProgrammeId',
      'trackId',
      'entryLevelId',
      'classProgrammeId',
      '',
    ])
  })
  test('two rows for the same applicants are equally specific only if they are equal', () => {
    for (const one of allScopes)
      for (const other of allScopes) expect(compareFees(one, other) === 0).toBe(feesTie(one, other))
  })
  test('a row for another track does not apply', () => {
    expect(rankFees([{ trackId: 'other', entryLevelId: null, classProgrammeId: null }], question)).toEqual([])
  })
  test('the reason names the deciding part', () => {
    const [all, trackAndLevel, , levelAndClass, track, level] = rankFees(allScopes, question)
    expect(whyItWins(all!, track!)).toEqual({ kind: 'names_more' })
    expect(whyItWins(trackAndLevel!, levelAndClass!)).toEqual({ kind: 'names_first', part: 'trackId' })
    expect(whyItWins(track!, level!)).toEqual({ kind: 'names_first', part: 'trackId' })
  })
})
