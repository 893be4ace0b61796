import type { z } from 'zod'
import { definitionOf, optionOf } from './body-check.ts'

/** What the schema of a body says of one field before anything is typed into it. */
export type FieldLimits = { required?: true; maxLength?: number; min?: number; max?: number }

/** The schema of what is typed, without what makes it optional or changes it afterwards. */
function typedSchema(schema: z.ZodType): z.ZodType {
  const { type, innerType, in: from, out } = definitionOf(schema)
  if (innerType) return typedSchema(innerType)
  if (type === 'pipe') return typedSchema(definitionOf(from!).type === 'transform' ? out! : from!)
  return schema
}

/** The schema of a field by its path (`name.en`, `banks.0.code`); of a union, that of the option the body has chosen. */
function schemaAt(schema: z.ZodType, body: unknown, [key, ...rest]: readonly string[]): z.ZodType | undefined {
  if (key === undefined) return schema
  const definition = definitionOf(typedSchema(schema))
  if (definition.discriminator) {
    const option = optionOf(definition, body)
    return option && schemaAt(option, body, [key, ...rest])
  }
  const next = definition.shape?.[key] ?? definition.element ?? definition.valueType
  return next && schemaAt(next, (body as Record<string, unknown> | null | undefined)?.[key], rest)
}

const nothings = [undefined, null, '', []]
/** Whole numbers without limits of their own end where numbers are no longer exact; a person is not told of that. */
const isLimit = (value: number | null | undefined) => value != null && Math.abs(value) < Number.MAX_SAFE_INTEGER

/** Reads from the schema of a body whether a field has to be filled in, how long it may be, and between which numbers. */
export function limitsOf(schema: z.ZodType, body: unknown, path: string): FieldLimits {
  const field = schemaAt(schema, body, path.split('.'))
  if (!field) return {}
  const typed = typedSchema(field)
  const { type } = definitionOf(typed)
  if (type === 'boolean') return {}
  const required = nothings.every((nothing) => !field.safeParse(nothing).success)
  const { maxLength, minValue, maxValue } = typed as { maxLength?: number | null; minValue?: number; maxValue?: number }
  return {
    ...(required && { required }),
    ...(type === 'string' && isLimit(maxLength) && { maxLength: maxLength! }),
    ...(type === 'number' && isLimit(minValue) && { min: minValue! }),
    ...(type === 'number' && isLimit(maxValue) && { max: maxValue! }),
  }
}
