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

test.each([
  ['an amount', z.number().max(100_000_000_000), 1e12, 'validation:too_big 100.000.000.000'],
  ['a year', z.number().min(1950), 20, 'validation:too_small 1950'],
])('a limit of %s is written as people write it', (_what, schema, value, sentence) => {
  const { error } = z.object({ field: schema }).safeParse({ field: value })
  const t = (key: string, params?: Record<string, unknown>) => [key, ...Object.values(params ?? {})].join(' ')
  expect(problemSentences({ issues: error!.issues, problems: {} }, { t, has: () => false }).field).toEqual([sentence])
})
