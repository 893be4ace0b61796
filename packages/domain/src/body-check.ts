import type { z } from 'zod'
import type { Endpoint, Problem, Problems } from './endpoint.ts'

/**
 * Checks a body with its endpoint's schema and rules. Reports every wrong field: if the schema refuses some fields, the
 * rules still run on the others.
 */
export function checkBody(endpoint: Pick<Endpoint, 'body' | 'rules'>, body: unknown, now: Date) {
  const { rules } = endpoint
  const schema = endpoint.body as z.ZodType | undefined
  if (!schema) return { value: body, issues: [], problems: {} }
  const parsed = schema.safeParse(body, { reportInput: true })
  const issues = [...(parsed.error?.issues ?? []), ...issuesOfSharedFields(schema, body)]
  const problems = rules
    ? foundProblems(rules(parsed.success ? parsed.data : (readableParts(schema, body) ?? {}), now))
    : {}
  return { value: parsed.data, issues, problems }
}

/** Drops the fields without a problem. */
export const foundProblems = (problems: Problems): Record<string, Problem | Problem[]> =>
  Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, Problem | Problem[]] => entry[1] != null),
  )

/** Runs a rule on a field that passed its schema; a missing field gives no problem here. */
export const onField = <T>(value: T | undefined, problemOf: (value: T) => Problem | null): Problem | null =>
  value === undefined ? null : problemOf(value)

type Definition = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  valueType?: z.ZodType
  discriminator?: string
  options?: z.ZodType[]
  in?: z.ZodType
  out?: z.ZodType
}
/** Zod's internal definition of any schema. */
export const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition
const fieldsOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The option of a union that the body's discriminator selects. */
export const optionOf = ({ discriminator, options = [] }: Definition, value: unknown) =>
  discriminator === undefined
    ? undefined
    : options.find(
        (option) => definitionOf(option).shape?.[discriminator]?.safeParse(fieldsOf(value)[discriminator]).success,
      )

/** The parts of a refused value that pass their own schemas. */
function readableParts(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const definition = definitionOf(schema)
  const { shape, element, innerType, discriminator } = definition
  if (innerType) return readableParts(innerType, value)
  if (element) {
    // Unreadable items keep their place, so that the indices of the others stay right.
    const { shape, discriminator } = definitionOf(element)
    const unreadable = shape || discriminator ? {} : undefined
    return Array.isArray(value) ? value.map((item) => readableParts(element, item) ?? unreadable) : undefined
  }
  if (discriminator) {
    const option = optionOf(definition, value)
    return option && readableParts(option, value)
  }
  if (!shape || typeof value !== 'object' || value === null) return undefined
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, field]) => {
      const readableField = readableParts(field, fieldsOf(value)[key])
      return readableField === undefined ? [] : [[key, readableField]]
    }),
  )
}

/** Without a known discriminator Zod checks no other field, so fields common to all options are checked here. */
function issuesOfSharedFields(schema: z.ZodType, body: unknown): z.core.$ZodIssue[] {
  const definition = definitionOf(schema)
  const { discriminator, options = [] } = definition
  if (!discriminator || optionOf(definition, body)) return []
  const [firstShape = {}, ...otherShapes] = options.map((option) => definitionOf(option).shape ?? {})
  const sharedKeys = Object.keys(firstShape).filter(
    (key) => key !== discriminator && otherShapes.every((shape) => key in shape),
  )
  return sharedKeys.flatMap((key) => {
    const results = [firstShape, ...otherShapes].map((shape) =>
      shape[key]!.safeParse(fieldsOf(body)[key], { reportInput: true }),
    )
    if (results.some(({ success }) => success)) return []
    return results[0]!.error!.issues.map((issue) => ({ ...issue, path: [key, ...issue.path] }))
  })
}
