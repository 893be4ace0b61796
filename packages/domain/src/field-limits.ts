import type { z } from 'zod'
import { definitionOf, optionOf } from './body-check.ts'
import type { Schema } from './endpoint.ts'

/** Limits of a field, known from its schema before the user types. */
export type FieldLimits = { required?: true; maxLength?: number; min?: number; max?: number }

/** Input schema, without optional wrappers and later transformations. */
function inputSchema(schema: z.ZodType): z.ZodType {
  const { innerType, in: pipeInput, out: pipeOutput } = definitionOf(schema)
  if (innerType) return inputSchema(innerType)
  if (pipeInput && pipeOutput) return inputSchema(definitionOf(pipeInput).type === 'transform' ? pipeOutput : pipeInput)
  return schema
}

/** Schema of a field by its path (`name.en`, `banks.0.code`); in a union, of the option the body selects. */
function schemaAt(schema: z.ZodType, body: unknown, [key, ...rest]: readonly string[]): z.ZodType | undefined {
  if (key === undefined) return schema
  const definition = definitionOf(inputSchema(schema))
  if (definition.discriminator) {
    const option = optionOf(definition, body)
    return option && schemaAt(option, body, [key, ...rest])
  }
  const next = definition.shape?.[key] ?? definition.element ?? definition.valueType
  return next && schemaAt(next, (body as Record<string, unknown> | null | undefined)?.[key], rest)
}

const emptyValues = [undefined, null, '', []]
/** Zod limits whole numbers to MAX_SAFE_INTEGER by default; users need not see that. */
const isLimit = (value: number | null | undefined): value is number =>
  value != null && Math.abs(value) < Number.MAX_SAFE_INTEGER

/** Reads from a body's schema whether a field is required, its maximum length and its number range. */
export function limitsOf(schema: Schema, body: unknown, path: string): FieldLimits {
  const field = schemaAt(schema as z.ZodType, body, path.split('.'))
  if (!field) return {}
  const fieldInput = inputSchema(field)
  const { type } = definitionOf(fieldInput)
  if (type === 'boolean') return {}
  const required = emptyValues.every((emptyValue) => !field.safeParse(emptyValue).success)
  const { maxLength, minValue, maxValue } = fieldInput as {
    maxLength?: number | null
    minValue?: number
    maxValue?: number
  }
  return {
    ...(required && { required }),
    ...(type === 'string' && isLimit(maxLength) && { maxLength }),
    ...(type === 'number' && isLimit(minValue) && { min: minValue }),
    ...(type === 'number' && isLimit(maxValue) && { max: maxValue }),
  }
}
