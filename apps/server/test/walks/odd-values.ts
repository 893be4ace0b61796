import type { JsonSchema } from '#server-test/sample.ts'

/** Names that every JavaScript object answers to. */
export const inheritedNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const

const oddText = [
  'a\u0000b',
  '\u0000',
  'sesuatu \ud800',
  '\udc00',
  ...inheritedNames,
  '',
  '   ',
  '%',
  '\\',
  '{{nama}} $t(errors:internal)',
  'x'.repeat(20_000),
  '\u202e\ufeff\u0301',
]

const oddDays = [
  '9999-99-99',
  '0000-00-00',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '275760-09-13',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '2026-01-01T00:00:00.000Z',
  'infinity',
  'now',
]

const oddIds = [
  'not-a-uuid',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{3f2504e0-4f89-41d3-9a0c-0305e82c3301}',
  '3f2504e04f8941d39a0c0305e82c3301',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
]

const oddNumbers = [
  -1,
  0,
  0.5,
  1e-7,
  32_768,
  2_147_483_648,
  999_999_999_999,
  1_000_000_000_000_000,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 63,
  1e300,
  -(2 ** 63),
]

const oddNumerals = ['-1', '0', '1e9', '1e400', '0x10', '٣', '9007199254740993', '99999999999999999999', 'NaN', '1.5']

const oddCursors = [
  'x',
  '!!!',
  Buffer.from('null').toString('base64url'),
  Buffer.from('5').toString('base64url'),
  Buffer.from('[]').toString('base64url'),
  Buffer.from('{"sort":"createdAt","value":{"a":1},"id":"x"}').toString('base64url'),
  Buffer.from('["createdAt","x","y"]').toString('base64url'),
  Buffer.from('[1,2,3]').toString('base64url'),
]

const oddShapes: unknown[] = [
  null,
  [],
  {},
  [null],
  [[]],
  [{}],
  true,
  { constructor: 1 },
  { length: 1 },
  { a: { b: { c: null } } },
]

const nested = (depth: number): unknown => (depth === 0 ? null : [nested(depth - 1)])

/** Odd values for a query parameter: text only. */
export function oddQueryValues(name: string, schema: JsonSchema): string[] {
  const types = typesOf(schema)
  return [
    ...oddText.map((text) => text.slice(0, 3_000)),
    ...(name === 'after' || name === 'cursor' ? oddCursors : []),
    ...(types.has('number') || types.has('integer') ? oddNumerals : []),
    ...(types.has('string') ? [...oddDays, ...oddIds] : []),
  ]
}

/** Odd values for a body field: of its own type first, then of every other type. */
export function oddBodyValues(schema: JsonSchema): unknown[] {
  const types = typesOf(schema)
  const ofText = [...oddText, ...oddDays, ...oddIds]
  const own = [
    ...(types.has('string') ? ofText : []),
    ...(types.has('number') || types.has('integer') ? oddNumbers : []),
    ...(types.has('array') ? [ofText, oddNumbers, Array(3_000).fill('x'), [nested(200)]] : []),
    ...(types.has('object')
      ? [Object.fromEntries([...inheritedNames, 'a\u0000', '\ud800', ''].map((k) => [k, 'x']))]
      : []),
  ]
  return [...own, ...oddShapes, 'x', 1]
}

/** Raw bodies that match no schema. */
export const oddBodies: { payload: string | Buffer; type?: string }[] = [
  { payload: 'null' },
  { payload: '[]' },
  { payload: '"x"' },
  { payload: '5' },
  { payload: '{' },
  { payload: '{"a":1}}' },
  { payload: '{"__proto__":{"a":1}}' },
  { payload: '{"constructor":{"prototype":{"a":1}}}' },
  { payload: '{"constructor":1,"toString":2,"hasOwnProperty":3,"a\\u0000":4,"\\ud800":5}' },
  { payload: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
  { payload: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}` },
  { payload: Buffer.from([0xff, 0xfe, 0x00, 0xd8]) },
  { payload: 'a=1&b=2', type: 'application/x-www-form-urlencoded' },
  { payload: 'x', type: 'text/plain' },
  { payload: 'x', type: 'multipart/form-data' },
  { payload: '--x\r\nbroken', type: 'multipart/form-data; boundary=x' },
  { payload: 'x', type: 'garbage' },
  { payload: '{}', type: 'application/json; charset=utf-7' },
]

function typesOf(schema: JsonSchema): Set<string> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return new Set(choices.flatMap((choice) => [...typesOf(choice)]))
  return new Set([schema.type ?? 'string'])
}

export const oddPathParts = [
  ...inheritedNames,
  'a%00b',
  '%ED%A0%80',
  '%',
  '%zz',
  '..%2f..',
  '9'.repeat(25),
  'x'.repeat(400),
  '%20',
  '0',
]
