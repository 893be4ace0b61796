/** JSON Schema as in the API's own description. */
export type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
}

/** Field values by name; other fields get a value of their type. */
export type NamedValues = Record<string, unknown>

/** Input that fits a schema: required fields and the named ones. */
export function sampleFrom(schema: JsonSchema, named: NamedValues, name = ''): unknown {
  if (name in named && fits(schema, named[name])) return named[name]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return sampleFrom(choices.find(({ type }) => type !== 'null') ?? choices[0]!, named, name)
  switch (schema.type) {
    case 'object': {
      const requiredFields = Object.entries(schema.properties ?? {}).filter(
        ([key]) => key in named || schema.required?.includes(key),
      )
      return Object.fromEntries(requiredFields.map(([key, field]) => [key, sampleFrom(field, named, key)]))
    }
    case 'array':
      return [sampleFrom(schema.items ?? {}, named, name)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)
    case 'null':
      return null
    default:
      if (schema.format === 'date') return '2026-08-17'
      if (schema.format === 'date-time') return '2026-08-17T08:00:00.000Z'
      if (schema.format === 'email') return 'contoh@example.com'
      if (schema.format === 'uri') return 'https://contoh.example'
      if (schema.format === 'uuid') return '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
      if (schema.pattern) return words.find((word) => new RegExp(schema.pattern!).test(word)) ?? 'contoh'
      return 'contoh isian'.slice(0, schema.maxLength ?? 12).padEnd(schema.minLength ?? 0, 'x')
  }
}

/** For each pattern in the API, one of these words matches. */
const words = [
  'contoh-isian',
  '08:00',
  '12',
  '123',
  '12345',
  '123456',
  '12345678',
  '081234567890',
  '+6281234567890',
  '12.34',
  '12.34.56',
  '12.34.56.7890',
  '20261',
  '2026/2027',
  'ID',
  '/contoh',
  'v21.0',
  '#009EF7',
  'contoh',
]

/** Whether the value is an array exactly if the schema wants one; the same name may be a single value elsewhere. */
function fits({ type, anyOf }: JsonSchema, value: unknown) {
  const types = anyOf ? anyOf.map((choice) => choice.type) : [type]
  return types.includes('array') === Array.isArray(value)
}
