import { expect, test } from 'vitest'
import { inPercent } from './percent-props.ts'

test('limits of a field in basis points become limits of an input in percent', () => {
  expect(inPercent({ error: 'x', min: -9_000, max: 20_000 })).toEqual({ error: 'x', min: -90, max: 200 })
  expect(inPercent({ error: undefined })).toEqual({ error: undefined })
  expect(inPercent({ min: 0 })).toEqual({ min: 0 })
})
