import { expect, test } from 'vitest'
import { donationRuleFor } from './donation-rule.ts'
import { tuitionRowsFor } from './tuition-rule.ts'

const rule = (programmeId: string | null, trackId: string | null) => ({ programmeId, trackId })

test('about donations a rule that names the programme counts before one that names the track', () => {
  const asked = rule('law', 'regular')
  const rules = [rule(null, null), rule(null, 'regular'), rule('law', null), rule('law', 'regular')]
  expect(donationRuleFor(rules, asked)).toBe(rules[3])
  expect(donationRuleFor(rules.slice(0, 3), asked)).toBe(rules[2])
  expect(donationRuleFor(rules.slice(0, 2), asked)).toBe(rules[1])
  expect(donationRuleFor([rule('arts', 'regular'), rule('law', 'night')], asked)).toBeUndefined()
  expect(donationRuleFor([rule('law', null), rule(null, null)], rule(null, 'regular'))).toEqual(rule(null, null))
})

test('of each fee component the row of the track counts, or else the row for every track', () => {
  const row = (feeComponentId: string, trackId: string | null, amount: number) => ({ feeComponentId, trackId, amount })
  const rows = [row('lab', null, 1), row('fee', 'regular', 2), row('fee', null, 3), row('bus', 'night', 4)]
  expect(tuitionRowsFor(rows, 'regular').map(({ amount }) => amount)).toEqual([1, 2])
  expect(tuitionRowsFor(rows, 'night').map(({ amount }) => amount)).toEqual([1, 3, 4])
})
