import { expect, test } from 'vitest'
import { type CardWords, comparisonText } from './card-text.ts'

const t = ((key: string, values: { change: string; before: string }) =>
  [key, values.change, values.before].join(' ')) as unknown as CardWords

const compared = (value: number, before: number) =>
  comparisonText({ key: 'today', value, before, against: 'week', kind: 'count', to: null }, t)

test('a figure is compared in percent below ten times the previous one, from there on with the previous figure', () => {
  expect(compared(11, 10)).toBe('comparisons.week.more 10,00% 10')
  expect(compared(99, 10)).toBe('comparisons.week.more 890,00% 10')
  expect(compared(100, 10)).toMatch(/^comparisons\.week\.muchMore .* 10$/)
  expect(compared(5, 10)).toBe('comparisons.week.less 50,00% 10')
  expect(compared(10, 10)).toMatch(/^comparisons\.week\.same/)
  expect(compared(10, 0)).toMatch(/^comparisons\.week\.none/)
})
