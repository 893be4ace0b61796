import { z } from 'zod'
import { time } from './answer-time.ts'
import type { Entity } from './entity.ts'
import type { Field } from './field.ts'
import { oncePer } from './once.ts'
import { parsePhone } from './phone.ts'
import { typedDay, typedMoment } from './typed-dates.ts'
import { typedLine, typedText } from './typed-text.ts'

/** A single line of text. The pattern checks white space as typed, so that a two-line subject is refused. */
const lineSchema = (max: number, pattern?: { source: string }) =>
  pattern ? typedText().min(1).max(max).regex(new RegExp(pattern.source)) : typedLine().min(1).max(max)

/** Schema of a field's value in requests. */
function valueSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
    case 'code':
      return lineSchema(field.max, field.pattern)
    case 'multiline':
      return typedText().min(1).max(field.max)
    case 'email':
      return typedText().toLowerCase().max(254).pipe(z.email())
    case 'phone':
      return typedText()
        .max(40)
        .refine((text) => parsePhone(text) !== null, 'phone_invalid')
        .transform((text) => parsePhone(text)!)
    case 'integer':
      return z
        .int()
        .min(field.min ?? 0)
        .max(field.max ?? 2_147_483_647)
    case 'decimal':
      return z
        .number()
        .min(field.min ?? 0)
        .max(field.max ?? 9_999_999_999)
        .multipleOf(0.01)
    case 'basisPoints':
      return z.int().min(1).max(10_000)
    case 'money':
      return z
        .int()
        .min(field.min ?? 0)
        .max(1_000_000_000_000)
    case 'moneyList':
      return z.array(z.int().min(1).max(1_000_000_000_000)).min(1).max(10)
    case 'date':
      return typedDay
    case 'dateTime':
      return typedMoment
    case 'time':
      return z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)
    case 'boolean':
      return z.boolean()
    case 'choice':
      return z.enum(Object.keys(field.choices))
    case 'multiChoice':
      return z.array(z.enum(Object.keys(field.choices))).min(1)
    case 'reference':
    case 'file':
      return z.uuid()
    case 'multiReference':
      return z.array(z.uuid()).min(1).max(50)
  }
}

/** Schema of a field's value in responses: plain types, since stored values were already checked. */
function storedSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'integer':
    case 'decimal':
    case 'basisPoints':
    case 'money':
      return z.number()
    case 'moneyList':
      return z.array(z.number())
    case 'boolean':
      return z.boolean()
    case 'multiChoice':
    case 'multiReference':
      return z.array(z.string())
    case 'dateTime':
      return time
    default:
      return z.string()
  }
}

const shapeOf = (entity: Entity, make: (field: Field, key: string) => z.ZodType, skippedKey?: string) =>
  Object.fromEntries(
    Object.entries(entity.fields)
      .filter(([key]) => key !== skippedKey)
      .map(([key, field]) => [key, make(field, key)]),
  )

const defaultOf = (field: Field): unknown =>
  'default' in field && field.default !== undefined ? field.default : field.optional ? null : undefined

/** Body that creates a row; fields with a default may be missing. The parent id comes from the path. */
export const createSchema = oncePer((entity: Entity) =>
  z.strictObject(
    shapeOf(
      entity,
      (field) => {
        const schema = field.optional ? valueSchema(field).nullable() : valueSchema(field)
        const value = defaultOf(field)
        return value === undefined ? schema : schema.default(value)
      },
      entity.parent?.field,
    ),
  ),
)

/**
 * Body that changes a row: all fields and the version they were read at. A missing field is an error rather than
 * emptying the value.
 */
export const updateSchema = oncePer((entity: Entity) =>
  z.strictObject({
    ...shapeOf(
      entity,
      (field) => (field.optional ? valueSchema(field).nullable() : valueSchema(field)),
      entity.parent?.field,
    ),
    version: z.int().min(1),
  }),
)

export const rowSchema = oncePer((entity: Entity) =>
  z.object({
    id: z.uuid(),
    ...shapeOf(entity, (field) => (field.optional ? storedSchema(field).nullable() : storedSchema(field))),
    active: z.boolean(),
    version: z.int(),
    createdAt: time,
    updatedAt: time,
    /** Titles of referenced rows and files, by field. */
    titles: z.record(z.string(), z.union([z.string(), z.array(z.string())]).nullable()),
  }),
)
