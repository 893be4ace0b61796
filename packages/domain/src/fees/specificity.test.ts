import { expect, test } from 'vitest'
import { donationRuleFor } from './donation-rule.ts'
import { tuitionRowsFor } from './tuition-rule.ts'

const rule = (programmeId: string | null, trackId: string | null) => ({ programmeId, trackId })

test('a donation rule with the programme outranks one with the track', () => {
  const question = rule('law', 'regular')
  const rules = [rule(null, null), rule(null, 'regular'), rule('law', null), rule('law', 'regular')]
  expect(donationRuleFor(rules, question)).toBe(rules[3])
  expect(donationRuleFor(rules.slice(0, 3), question)).toBe(rules[2])
  expect(donationRuleFor(rules.slice(0, 2), question)).toBe(rules[1])
  expect(donationRuleFor([rule('arts', 'regular'), rule('law', 'night')], question)).toBeUndefined()
  expect(donationRuleFor([rule('law', null), rule(null, null)], rule(null, 'regular'))).toEqual(rule(null, null))
})

test("each fee component uses the track's row, otherwise the row for all tracks", () => {
  const row = (feeComponentId: string, trackId: string | null, amount: number) => ({ feeComponentId, trackId, amount })
  const rows = [row('lab', null, 1), row('fee', 'regular', 2), row('fee', null, 3), row('bus', 'night', 4)]
  expect(tuitionRowsFor(rows, 'regular').map(({ amount }) => amount)).toEqual([1, 2])
  expect(tuitionRowsFor(rows, 'night').map(({ amount }) => amount)).toEqual([1, 3, 4])
})
