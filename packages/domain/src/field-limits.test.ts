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
    .transform((typed) => typed.replaceAll(' ', ''))
    .pipe(z.string().max(15)),
  amount: z.number().int().min(1).max(1_000_000),
  count: z.number().int(),
  agrees: z.boolean(),
  day: z.iso.date().nullable(),
  choices: z.array(z.uuid()).min(1),
  name: z.strictObject({ en: z.string().min(1).max(60), id: z.string().max(60) }).optional(),
  rows: z.array(z.strictObject({ code: z.string().min(1).max(8) })),
}
const plain = z.strictObject(shape)
const limits = (path: string) => limitsOf(plain, {}, path)

test('a text says its length and whether it has to be there', () => {
  expect(limits('reason')).toEqual({ required: true, maxLength: 500 })
  expect(limits('note')).toEqual({ maxLength: 200 })
})

test('a text that is rewritten may be as long as what is typed', () => {
  expect(limits('phone')).toEqual({ maxLength: 20 })
})

test('a number says between what it lies, but not where numbers end', () => {
  expect(limits('amount')).toEqual({ required: true, min: 1, max: 1_000_000 })
  expect(limits('count')).toEqual({ required: true })
})

test('a box to tick says nothing, what may be empty is not required, a list needs its first', () => {
  expect(limits('agrees')).toEqual({})
  expect(limits('day')).toEqual({})
  expect(limits('choices')).toEqual({ required: true })
})

test('fields within objects and rows are found by their path; of others nothing is known', () => {
  expect(limits('name.en')).toEqual({ required: true, maxLength: 60 })
  expect(limits('rows.3.code')).toEqual({ required: true, maxLength: 8 })
  expect(limits('missing')).toEqual({})
  expect(limits('rows.0.missing')).toEqual({})
})

test('of several bodies the chosen one says it', () => {
  const either = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a'), reason: z.string().min(1).max(10) }),
    z.strictObject({ kind: z.literal('b'), reason: z.string().max(20) }),
  ])
  expect(limitsOf(either, { kind: 'a' }, 'reason')).toEqual({ required: true, maxLength: 10 })
  expect(limitsOf(either, { kind: 'b' }, 'reason')).toEqual({ maxLength: 20 })
  expect(limitsOf(either, {}, 'reason')).toEqual({})
})
