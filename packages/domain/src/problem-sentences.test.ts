import { expect, test } from 'vitest'
import { z } from 'zod'
import { problemSentences } from './problem-sentences.ts'

const keysOf = (schema: z.ZodType, value: unknown) => {
  const { error } = z.object({ field: schema }).safeParse({ field: value }, { reportInput: true })
  return problemSentences({ issues: error?.issues ?? [], problems: {} }, { t: (key) => key, has: () => false }).field
}

test.each([
  ['a name that needs three letters', z.string().min(3), ''],
  ['a record to choose', z.uuid(), ''],
  ['one of several values', z.enum(['a', 'b']), null],
  ['a number', z.number().min(1), null],
  ['a day', z.iso.date(), ''],
])('%s is missing if it is empty', (_what, schema, empty) =>
  expect(keysOf(schema, empty)).toEqual(['validation:required']),
)

test('a value that is there gets the sentence of its rule', () => {
  expect(keysOf(z.string().min(3), 'ab')).toEqual(['validation:too_short'])
  expect(keysOf(z.uuid(), 'x')).toEqual(['validation:identifier'])
})
