import { expect, test } from 'vitest'
import { z } from 'zod'
import { limitsOf } from './field-limits.ts'

const shape = {
  kind: z.literal('a'),
  reason: z.string().trim().min(5).max(500),
  note: z.string().trim().max(200).optional(),
  phone: z
    .string()
    .max(20)
    .transform((text) => text.replaceAll(' ', ''))
    .pipe(z.string().max(15)),
  amount: z.number().int().min(1).max(1_000_000),
  count: z.number().int(),
  agrees: z.boolean(),
  day: z.iso.date().nullable(),
  choices: z.array(z.uuid()).min(1),
  name: z.strictObject({ en: z.string().min(1).max(60), id: z.string().max(60) }).optional(),
  rows: z.array(z.strictObject({ code: z.string().min(1).max(8) })),
}
const schema = z.strictObject(shape)
const limits = (path: string) => limitsOf(schema, {}, path)

test('a text has its maximum length and whether it is required', () => {
  expect(limits('reason')).toEqual({ required: true, maxLength: 500 })
  expect(limits('note')).toEqual({ maxLength: 200 })
})

test('a transformed text has the limit of its input', () => {
  expect(limits('phone')).toEqual({ maxLength: 20 })
})

test('a number has its range, but not the limits of safe integers', () => {
  expect(limits('amount')).toEqual({ required: true, min: 1, max: 1_000_000 })
  expect(limits('count')).toEqual({ required: true })
})

test('a check box has no limits, an optional field is not required, a list needs an item', () => {
  expect(limits('agrees')).toEqual({})
  expect(limits('day')).toEqual({})
  expect(limits('choices')).toEqual({ required: true })
})

test('fields in objects and rows are found by path; unknown fields have no limits', () => {
  expect(limits('name.en')).toEqual({ required: true, maxLength: 60 })
  expect(limits('rows.3.code')).toEqual({ required: true, maxLength: 8 })
  expect(limits('missing')).toEqual({})
  expect(limits('rows.0.missing')).toEqual({})
})

test("in a union, the selected option's limits apply", () => {
  const union = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a'), reason: z.string().min(1).max(10) }),
    z.strictObject({ kind: z.literal('b'), reason: z.string().max(20) }),
  ])
  expect(limitsOf(union, { kind: 'a' }, 'reason')).toEqual({ required: true, maxLength: 10 })
  expect(limitsOf(union, { kind: 'b' }, 'reason')).toEqual({ maxLength: 20 })
  expect(limitsOf(union, {}, 'reason')).toEqual({})
})
