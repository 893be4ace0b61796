import { expect, test } from 'vitest'
import { inPercent } from './percent-props.ts'

test('limits of a field in basis points become limits of an input in percent', () => {
  const props = { error: 'x', min: -9_000, max: 20_000 }
  expect(inPercent(props)).toEqual({ error: 'x', min: -90, max: 200 })
  expect(inPercent({})).toEqual({})
  expect(inPercent({ min: 0 })).toEqual({ min: 0 })
})
