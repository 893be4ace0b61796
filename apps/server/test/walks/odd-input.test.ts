import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { entities, getEntity } from '#entities/index.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { demoApp } from '#server-test/demo-app.ts'
import { bodySchemaOf, type Route, routesOf } from '#server-test/routes.ts'
import { type JsonSchema, type NamedValues, sampleFrom } from '#server-test/sample.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { isWhole, sampleOf, seed } from '#testing/form.ts'
import { inheritedNames, oddBodies, oddBodyValues, oddPathParts, oddQueryValues } from './odd-values.ts'

/**
 * Walks every endpoint with odd paths, queries and bodies: no answer is a 5xx. The daily form makes each endpoint's
 * usual call and sorts each list once; the seed draws the odd values, fields and cursors to try.
 */
const oddAttemptsPerRoute = 3
const atOnce = 6
const patienceMs = 20_000

let t: TestApp
let admin: TestActor
/** Newest row of every table that is not empty. */
const ids = new Map<string, string>()
const namedValues: NamedValues = {}
beforeAll(async () => {
  // Outgoing calls are blocked, because odd values may end up as addresses.
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed')
  })
  t = await demoApp()
  admin = await asStaff(t)
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'id' AND data_type = 'uuid'`.execute(t.owner)
  for (const { name } of tables) {
    const { rows } = await sql<{ id: string }>`SELECT id FROM ${sql.table(name)} ORDER BY id DESC LIMIT 1`.execute(
      t.owner,
    )
    if (rows[0]) ids.set(name, rows[0].id)
  }
  for (const { fields } of entities)
    for (const [key, field] of Object.entries(fields))
      if (field.kind === 'reference') namedValues[key] = ids.get(getEntity(field.to).table)
  Object.assign(namedValues, {
    version: 1,
    reason: 'alasan contoh',
    bank: 'sandbox-a',
    installmentPlanId: ids.get('installment_plans'),
    billId: ids.get('bills'),
    bankAccountId: ids.get('bank_accounts'),
    roleId: ids.get('roles'),
    choices: [ids.get('study_programmes')],
    ids: [ids.get('registrations')],
  })
}, 120_000)
afterAll(async () => {
  vi.unstubAllGlobals()
  await t.close()
})

/** Table of the rows a path parameter names, by the path segment before it. */
const tables: Record<string, string> = {
  url: 'menus',
  pendaftaran: 'registrations',
  accounts: 'accounts',
  sessions: 'sessions',
  roles: 'roles',
  menus: 'roles',
  permissions: 'roles',
  files: 'files',
  documents: 'documents',
  vouchers: 'discount_uses',
  bills: 'bills',
  payments: 'payments',
  'virtual-accounts': 'virtual_accounts',
  'transaksi-va': 'virtual_accounts',
  'pembayaran-mahasiswa': 'payments',
  'uang-menunggu': 'payments',
  'payment-alerts': 'payment_alerts',
  refunds: 'refunds',
  persetujuan: 'approval_requests',
  'bank-accounts': 'bank_accounts',
  'statement-lines': 'statement_lines',
  statements: 'statement_imports',
  rekonsiliasi: 'reconciliation_days',
  'reconciliation-differences': 'reconciliation_differences',
  messages: 'messages',
  'npm-mahasiswa': 'registrations',
  'mahasiswa-feeder': 'registrations',
  'jaket-mahasiswa': 'registrations',
  'sim-mahasiswa': 'accounts',
  'photo-downloads': 'photo_downloads',
  'test-seats': 'test_seats',
  'admission-years': 'admission_year_copies',
  imports: 'imports',
  terbit: 'letters',
  massal: 'letter_batches',
  views: 'saved_views',
  'report-mails': 'report_mails',
  providers: 'provider_accounts',
  whatsapp: 'whatsapp_connections',
  campus: 'campus_tokens',
  'event-afiliator': 'events',
  visitors: 'event_visitors',
  materials: 'event_materials',
  affiliates: 'affiliates',
  rules: 'commission_rules',
  holds: 'commission_holds',
  payouts: 'payout_runs',
  lines: 'payout_lines',
  applications: 'affiliate_applications',
  prospek: 'leads',
  conversations: 'conversations',
  replies: 'canned_replies',
  'data-survey-siswa': 'surveys',
  links: 'survey_links',
  responses: 'survey_responses',
  photos: 'survey_photos',
}

/** Values of parameters that name no row. */
const words: Record<string, string> = {
  field: 'templateFileId',
  level: 'cities',
  number: '990010000000001',
  slug: 'master-prodi-view',
  provider: 'sandbox',
  code: 'contoh-kode',
  chunk: '1',
}

function tableBehind(segment: string, path: string) {
  const nestedEntity = entities.find(
    ({ parent }) => parent && path.startsWith(`/api/master/${parent.slug}/{parentId}/${parent.path}`),
  )
  if (segment === nestedEntity?.parent?.path) return nestedEntity.table
  return entities.find(({ slug }) => slug === segment)?.table ?? tables[segment]
}

/** The path with ids of existing rows, optionally with one parameter replaced. */
const fillPath = (path: string, odd?: { name: string; value: string }) =>
  path.replace(/([\w.-]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const usual = words[name] ?? ids.get(tableBehind(segment, path) ?? '') ?? crypto.randomUUID()
    return `${segment}/${odd?.name === name ? odd.value : usual}`
  })

type Attempt = { url: string; payload?: string | Buffer; headers?: Record<string, string> }

const json = { 'content-type': 'application/json' }
let nextIndex = seed
/** Picks a few values in turn, so that over all fields and days every value is used. */
const pickInTurn = <T>(values: readonly T[], count: number): T[] =>
  values.length <= count
    ? [...values]
    : Array.from({ length: count }, () => {
        nextIndex += 7
        return values[nextIndex % values.length]!
      })

/** The stored row, reduced to the body's fields, so that odd values pass the schema and reach the use case. */
async function storedBody(route: Route, routes: readonly Route[]) {
  const entity = entities.find(({ slug, parent }) =>
    parent
      ? route.path === `/api/master/${parent.slug}/{parentId}/${parent.path}/{id}`
      : route.path === `/api/master/${slug}/{id}`,
  )
  const path = entity ? `/api/master/${entity.slug}/{id}` : route.path
  if (route.method !== 'put' || !routes.some((one) => one.method === 'get' && one.path === path)) return {}
  const answer = await admin.get(fillPath(path))
  const row = answer.statusCode === 200 ? answer.json().data : undefined
  const keys = Object.keys(bodySchemaOf(route)?.properties ?? {})
  return Object.fromEntries(keys.filter((key) => row?.[key] !== undefined).map((key) => [key, row[key]]))
}

async function attemptsOn(route: Route, routes: readonly Route[]): Promise<Attempt[]> {
  const { path, operation } = route
  const schema = bodySchemaOf(route)
  const sample = schema && { ...(sampleFrom(schema, namedValues) as object), ...(await storedBody(route, routes)) }
  const usual = sample === undefined ? {} : { payload: JSON.stringify(sample), headers: json }
  const parameters = operation.parameters ?? []
  const needed = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name, schema: of }) => `${name}=${encodeURIComponent(String(sampleFrom(of, namedValues, name)))}`)
  const withQuery = (query: string) => `${fillPath(path)}?${[query, ...needed].join('&')}`
  const attempts: Attempt[] = [{ url: withQuery(''), ...usual }]
  const weight = path.startsWith('/api/master/') ? 1 : 3
  for (const { name, in: place, schema: of } of parameters) {
    if (place === 'path')
      for (const value of pickInTurn(oddPathParts, 2 * weight))
        attempts.push({ url: fillPath(path, { name, value }), ...usual })
    if (place === 'query')
      for (const value of pickInTurn(oddQueryValues(name, of), 2 * weight))
        attempts.push({ url: withQuery(`${encodeURIComponent(name)}=${encodeOddly(value)}`), ...usual })
  }
  for (const name of pickInTurn([...inheritedNames, 'a%00', '%ED%A0%80', 'a[b]', 'q=1&q'], weight))
    attempts.push({ url: withQuery(`${name}=1`), ...usual })
  if (schema) {
    for (const { at, schema: of } of placesIn(schema))
      for (const value of pickInTurn(oddBodyValues(of), 2 * weight))
        attempts.push({ url: withQuery(''), payload: JSON.stringify(withValue(sample, at, value)), headers: json })
    for (const name of pickInTurn([...inheritedNames, 'a\u0000', '\udfff'], weight))
      attempts.push({ url: withQuery(''), payload: withKey(sample, name), headers: json })
  }
  for (const { payload, type = 'application/json' } of pickInTurn(oddBodies, route.method === 'get' ? 0 : 2 * weight))
    attempts.push({ url: withQuery(''), payload, headers: { 'content-type': type } })
  const language = ',;q=x,id;q=-1,*;q=NaN,\u00ff'
  attempts.push({ url: withQuery(''), ...usual, headers: { ...usual.headers, 'accept-language': language } })
  return attempts
}

/** Encodes a lone surrogate as three bytes, like a careless encoder. */
const encodeOddly = (value: string) =>
  value.isWellFormed() ? encodeURIComponent(value) : value.replace(/[\ud800-\udfff]/g, '%ED%A0%80')

/** The path and schema of every value of a body, down to the third level. */
function placesIn(schema: JsonSchema, at: string[] = []): { at: string[]; schema: JsonSchema }[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap((choice) => placesIn(choice, at)).slice(0, 40)
  const own = at.length > 0 ? [{ at, schema }] : []
  if (at.length >= 3) return own
  if (schema.type === 'array') return [...own, ...(schema.items ? placesIn(schema.items, [...at, '0']) : [])]
  return [...own, ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => placesIn(field, [...at, key]))]
}

function withValue(sample: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  if (key === '0') return [withValue(Array.isArray(sample) ? sample[0] : undefined, rest, value)]
  const whole = sample !== null && typeof sample === 'object' && !Array.isArray(sample) ? sample : {}
  return { ...whole, [key]: withValue((whole as Record<string, unknown>)[key], rest, value) }
}

/** Built as JSON text, because in an object literal `__proto__` would set the prototype. */
const withKey = (sample: unknown, key: string) =>
  `{${JSON.stringify(key)}:1${JSON.stringify(sample ?? {})
    .replace(/^\{/, ',')
    .replace(/^,\}$/, '}')}`

let requestCount = 0
/** Sends each call from another address, so that rate limits do not hide the tested code. */
async function send(route: Route, { url, payload, headers }: Attempt) {
  requestCount++
  const answer = t.app
    .inject({
      method: route.method.toUpperCase() as 'GET',
      url,
      remoteAddress: `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`,
      headers: { ...headers, authorization: `Bearer ${admin.token}` },
      ...(payload !== undefined && { payload }),
    })
    .catch((error: Error) => ({ statusCode: 'cut off', body: error.message }) as const)
  let timeout: NodeJS.Timeout | undefined
  const unanswered = new Promise<{ statusCode: 'none'; body: string }>((resolve) => {
    timeout = setTimeout(() => resolve({ statusCode: 'none', body: '' }), patienceMs)
  })
  const outcome = await Promise.race([answer, unanswered])
  clearTimeout(timeout)
  return outcome
}
const nobody = crypto.randomUUID()
const cursorOf = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')

/** Cursors in every list's format, with values that match no column. */
const forged = (sort: string) => [
  ...['x', '\u0000', '\ud800', '9999-99-99', '0', '1e400', '{}'].flatMap((value) => [
    cursorOf([sort, value, nobody]),
    cursorOf([value, nobody]),
    cursorOf({ sort, value, id: nobody }),
    `${value}_${nobody}`,
  ]),
  cursorOf([sort, '2026-01-01', 'x']),
  cursorOf(['2026-01-01', '-'.repeat(36)]),
  cursorOf({ sort, value: { constructor: 1 }, id: nobody }),
  cursorOf({ sort, value: [1], id: 'x' }),
  cursorOf({ sort, offset: -1 }),
  cursorOf({ sort, offset: Number.MAX_SAFE_INTEGER }),
  cursorOf({ sort, offset: 0.5 }),
  cursorOf(null),
  cursorOf(nestedArray(60)),
]
const nestedArray = (depth: number): unknown => (depth === 0 ? 1 : [nestedArray(depth - 1)])

test('a forged cursor, or one from another list, is refused beside the field or shows a page', async () => {
  const lists = routesOf(t.app).filter(
    ({ method, operation }) => method === 'get' && operation.parameters?.some(({ name }) => name === 'after'),
  )
  const realCursors: string[] = []
  for (const { path } of lists) {
    const answer = await admin.get(`${fillPath(path)}?per_page=1`)
    const next = answer.statusCode === 200 ? answer.json().meta?.next : null
    if (next) realCursors.push(next)
  }
  expect(realCursors.length).toBeGreaterThan(20)
  const failures: string[] = []
  for (const { path, operation } of lists) {
    const sorts = operation.parameters!.find(({ name }) => name === 'sort')?.schema.enum as string[] | undefined
    for (const sort of pickInTurn(sorts ?? [''], isWhole ? 2 : 1))
      for (const cursor of [
        ...pickInTurn(forged(sort), isWhole ? 10 : 2),
        ...pickInTurn(realCursors, isWhole ? 3 : 1),
      ]) {
        const query = new URLSearchParams({ ...(sort && { sort }), after: cursor })
        const answer = await admin.get(`${fillPath(path)}?${query}`)
        const hasProblem =
          [200, 404].includes(answer.statusCode) || (answer.statusCode === 422 && answer.json().errors?.after)
        if (!hasProblem) failures.push(`${path}?${query} → ${answer.statusCode} ${answer.body}`)
      }
  }
  expect(failures).toEqual([])
}, 120_000)

const order = ['get', 'put', 'patch', 'post', 'delete']

test('no declared endpoint fails on odd input by an administrator', async () => {
  // Deletions come last, so that the rows exist for the other calls.
  const routes = routesOf(t.app)
    .filter(({ path }) => !path.endsWith('/logout'))
    .toSorted((one, other) => order.indexOf(one.method) - order.indexOf(other.method))
  const waiting: { route: Route; attempt: Attempt }[] = []
  let attemptCount = 0
  for (const route of routes) {
    const [usual, ...odd] = await attemptsOn(route, routes)
    attemptCount += odd.length + 1
    const drawn = sampleOf(`${route.method} ${route.path}`, odd, oddAttemptsPerRoute)
    for (const attempt of [usual!, ...drawn]) waiting.push({ route, attempt })
  }
  expect(attemptCount).toBeGreaterThan(12_000)
  /** One attempt for each way a call failed. */
  const failures = new Map<string, string>()
  let next = 0
  const tried = new Set<object>()
  const isLimited = (body: string) => body.includes('"too_many_requests"')
  const sendAttempts = async () => {
    for (let item = waiting[next++]; item; item = waiting[next++]) {
      const { route, attempt } = item
      const { statusCode, body } = await send(route, attempt)
      // The call may have ended the administrator's session, or used up the account's limit for a minute.
      if (statusCode === 401 || isLimited(body)) admin = await asStaff(t)
      if (isLimited(body) && !tried.has(item)) waiting.push(item)
      tried.add(item)
      if (typeof statusCode === 'number' && statusCode < 500) continue
      const attemptText = `${attempt.url} ${String(attempt.payload ?? '')}`.slice(0, 400)
      failures.set(`${route.method} ${route.path} → ${statusCode}`, `${attemptText} ${body.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendAttempts))
  expect([...failures]).toEqual([])
}, 300_000)
