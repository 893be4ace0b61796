import type { z } from 'zod'
import type { Endpoint, Problem, Problems } from './endpoint.ts'

/**
 * Checks a body with the schema and the rules of its endpoint. Every wrong field is in the answer: the rules run on the
 * readable fields also when the schema refuses others.
 */
export function checkBody({ body: schema, rules }: Pick<Endpoint, 'body' | 'rules'>, body: unknown, now: Date) {
  if (!schema) return { value: body, issues: [], problems: {} }
  const parsed = schema.safeParse(body, { reportInput: true })
  const issues = [...(parsed.error?.issues ?? []), ...issuesOfSharedFields(schema, body)]
  const problems = rules ? foundProblems(rules(parsed.success ? parsed.data : (readable(schema, body) ?? {}), now)) : {}
  return { value: parsed.data, issues, problems }
}

/** Drops the fields without a problem. */
export const foundProblems = (problems: Problems): Record<string, Problem | Problem[]> =>
  Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, Problem | Problem[]] => entry[1] != null),
  )

/** Runs a rule on a field that was given and is readable; its schema speaks of the others. */
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
/** What Zod keeps of a schema, whatever its kind. */
export const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition
const fieldsOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The schema of the union that the body's discriminator names. */
export const optionOf = ({ discriminator, options = [] }: Definition, value: unknown) =>
  options.find(
    (option) => definitionOf(option).shape?.[discriminator!]?.safeParse(fieldsOf(value)[discriminator!]).success,
  )

/** The parts of a refused value that their own schemas accept. */
function readable(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const definition = definitionOf(schema)
  const { shape, element, innerType, discriminator } = definition
  if (innerType) return readable(innerType, value)
  if (element) {
    // An item without readable fields keeps its place, so that the others keep their numbers.
    const { shape, discriminator } = definitionOf(element)
    const nothing = shape || discriminator ? {} : undefined
    return Array.isArray(value) ? value.map((item) => readable(element, item) ?? nothing) : undefined
  }
  if (discriminator) {
    const option = optionOf(definition, value)
    return option && readable(option, value)
  }
  if (!shape || typeof value !== 'object' || value === null) return undefined
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, field]) => {
      const read = readable(field, fieldsOf(value)[key])
      return read === undefined ? [] : [[key, read]]
    }),
  )
}

/** Without a known discriminator Zod looks at no other field; those of all options are checked here. */
function issuesOfSharedFields(schema: z.ZodType, body: unknown): z.core.$ZodIssue[] {
  const definition = definitionOf(schema)
  const { discriminator, options = [] } = definition
  if (!discriminator || optionOf(definition, body)) return []
  const [first = {}, ...others] = options.map((option) => definitionOf(option).shape ?? {})
  const shared = Object.keys(first).filter((key) => key !== discriminator && others.every((shape) => key in shape))
  return shared.flatMap((key) => {
    const read = [first, ...others].map((shape) => shape[key]!.safeParse(fieldsOf(body)[key], { reportInput: true }))
    if (read.some(({ success }) => success)) return []
    return read[0]!.error!.issues.map((issue) => ({ ...issue, path: [key, ...issue.path] }))
  })
}
