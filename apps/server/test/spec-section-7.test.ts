import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWhole, sampleOf } from '#testing/form.ts'
import { asApplicant, asStaff, type TestActor, testPassword } from './actors.ts'
import { type FullUniversity, fullUniversity } from './factories/universities/full-university.ts'
import { bodySchemaOf, type Route, routesOf } from './routes.ts'
import { type JsonSchema, sampleFrom } from './sample.ts'
import { type TestApp, testApp } from './test-app.ts'

/** Section 7 of the specification: names of calls and fields, and that a refusal names every field. */

let t: TestApp
let world: FullUniversity
let admin: TestActor
let sari: TestActor
let routes: Route[]
beforeAll(async () => {
  t = await testApp()
  world = await fullUniversity(t)
  admin = await asStaff(t)
  sari = await asApplicant(t)
  routes = routesOf(t.app).filter((route) => bodySchemaOf(route)?.properties || bodySchemaOf(route)?.oneOf)
}, 120_000)
afterAll(() => t.close())

let calls = 0
/** Sends every call from another address, because other tests cover the limits by address. */
const ask = (method: Route['method'], url: string, payload?: unknown, token?: string) =>
  t.app.inject({
    method: method.toUpperCase() as 'POST',
    url: url.startsWith('/api') || url.startsWith('/getImage') ? url : `/api${url}`,
    remoteAddress: `10.${(++calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(payload !== undefined && { payload: payload as object }),
  })
const namedIn = (answer: Awaited<ReturnType<typeof ask>>) =>
  Object.keys(answer.statusCode === 422 ? (answer.json().errors ?? {}) : {}).sort()

describe('"POST login: credentials; data.access_token and user; errors in data.errors"', () => {
  test('returns a token and the user', async () => {
    const answer = await ask('post', '/login', { email: sari.email, password: testPassword })
    expect(answer.json()).toMatchObject({ access_token: expect.any(String), user: { email: sari.email } })
  })

  test('empty credentials give 422 and both are named', async () => {
    const answer = await ask('post', '/login', { email: '', password: '' })
    expect([answer.statusCode, namedIn(answer)]).toEqual([422, ['email', 'password']])
  })

  test('a missing field does not hide problems in the other', async () => {
    expect(namedIn(await ask('post', '/login', { email: ' ' }))).toEqual(['email', 'password'])
  })
})

describe('"POST register: registration payload; same shape"', () => {
  const wrong = { name: '', email: 'bukan-alamat', phone: '1', password: 'abc', password_confirmation: 'abd' }
  const all = Object.keys(wrong).sort()

  test('every wrong field is named', async () => {
    expect(namedIn(await ask('post', '/register', wrong))).toEqual(all)
  })

  test.each(all)('without %s every other wrong field is named as well', async (missing) => {
    const { [missing as 'name']: _, ...others } = wrong
    const named = namedIn(await ask('post', '/register', others))
    // Without a password, its repetition cannot differ from it.
    expect(named).toEqual(missing === 'password' ? all.filter((name) => name !== 'password_confirmation') : all)
  })
})

describe('"POST forgot_password: payload; on success errors cleared"', () => {
  test('an empty or wrong address is named, a valid one answers without errors', async () => {
    expect(namedIn(await ask('post', '/forgot_password', { email: '' }))).toEqual(['email'])
    expect(namedIn(await ask('post', '/forgot_password', { email: 'x@y' }))).toEqual(['email'])
    const answer = await ask('post', '/forgot_password', { email: 'siapa@contoh.example' })
    expect([answer.statusCode, answer.json().errors]).toEqual([200, undefined])
  })
})

test('"POST verify_token: api_token (stored token), auth header set first; as login"', async () => {
  const answer = await ask('post', '/verify_token', { api_token: sari.token }, sari.token)
  expect(answer.json()).toMatchObject({ access_token: sari.token, user: { email: sari.email } })
})

test('"GET auth/permissions: data.data is a list of permissions with slug"', async () => {
  const answer = await ask('get', '/auth/permissions', undefined, sari.token)
  expect(answer.json().data).toContainEqual(expect.objectContaining({ slug: expect.any(String) }))
})

test('"GET /auth/my-profile: data.data is the profile or null"', async () => {
  const bare = await asApplicant(t)
  expect((await ask('get', '/auth/my-profile', undefined, bare.token)).json()).toHaveProperty('data')
})

describe('"GET /getImage: query image, fieldid, thumbnail, plus an API key parameter ({key})"', () => {
  test("fieldid names the image's field; the key is bound to reader, image and field", async () => {
    const reader = await asApplicant(t, { profile: true })
    const photo = await aPhoto(reader)
    const url = new URL(photo, 'http://pmb.test')
    expect([...url.searchParams.keys()].sort()).toEqual(['fieldid', 'image', 'key', 'thumbnail'])
    expect(url.searchParams.get('fieldid')).toBe('photo')
    expect((await ask('get', photo)).statusCode).toBe(200)
    expect((await ask('get', photo, undefined, reader.token)).statusCode).toBe(200)
    expect((await ask('get', photo, undefined, admin.token)).statusCode).toBe(403)
    expect((await ask('get', photo.replace('fieldid=photo', 'fieldid=document'))).statusCode).toBe(403)
    expect((await ask('get', photo.replace(reader.accountId, admin.accountId))).statusCode).toBe(403)
  })
})

async function aPhoto(actor: TestActor): Promise<string> {
  const sharp = (await import('sharp')).default
  const bytes = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#88aacc' } })
    .jpeg()
    .toBuffer()
  const answer = await actor.upload('/auth/my-profile/photo', { name: 'foto.jpg', type: 'image/jpeg', bytes })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data.photoUrl
}

/* ---------- a refusal names every field ---------- */

/** The object schemas of a body; of alternatives, each of them. */
const formsOf = (schema: JsonSchema): JsonSchema[] => (schema.oneOf ?? [schema]).map((form) => withEveryField(form))
const withEveryField = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  required: Object.keys(schema.properties ?? {}),
})
/** Whether the field selects an alternative of the body. */
const isChosen = (field: JsonSchema) => 'const' in field || (field.enum?.length === 1 && field.type === 'string')
const bodyOf = (form: JsonSchema) => sampleFrom(form, {}) as Record<string, unknown>

const pathOf = ({ path }: Route) =>
  path
    .replace('/api', '')
    .replace(/\{field\}/, 'photo')
    .replace(/\{number\}/, '88080000000001')
    .replace(/([\w-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
      const row = world.rows[before]
      return `${before}/${world.ids[before] ?? row?.id ?? world.ids[name] ?? '3f2504e0-4f89-41d3-9a0c-0305e82c3301'}`
    })

/** Values of the right type that may still be invalid. */
const typed = [
  '',
  ' ',
  'x',
  'abc def',
  '12',
  '1999-01-01',
  '2099-12-31',
  'http://contoh.example',
  '1999-01-01T00:00:00Z',
]
/** Banks and gateways use their own formats. */
const isOfMachines = (path: string) => /\/(snap|webhook|report)/.test(path)
/** These calls would replace the requesting session. */
const replacesSession = (path: string) => /\/(verify_token|google\/exchange|see-as)/.test(path)

describe('every refusal names every wrong field', () => {
  test('fields of a wrong type, in every call with a body', async () => {
    const silent: string[] = []
    let count = 0
    for (const route of routes) {
      if (isOfMachines(route.path)) continue
      for (const form of formsOf(bodySchemaOf(route)!)) {
        const fields = Object.entries(form.properties ?? {}).filter(
          ([, field]) => !isChosen(field) && Object.keys(field).length > 0,
        )
        const body = Object.fromEntries(
          Object.entries(form.properties ?? {}).map(([name, field]) => [
            name,
            isChosen(field) ? (field.const ?? field.enum![0]) : null,
          ]),
        )
        for (const [name] of fields) body[name] = [[['x']]]
        count += 1
        const actor = route.operation.security ? admin : undefined
        const answer = await ask(route.method, pathOf(route), body, actor?.token)
        const named = namedIn(answer)
        for (const [name] of fields)
          if (!named.some((path) => path === name || path.startsWith(`${name}.`)))
            silent.push(`${route.method} ${route.path} ${name}: ${answer.statusCode} ${named}`)
      }
    }
    expect(silent).toEqual([])
    expect(count).toBeGreaterThan(100)
  })

  test('a field refused alone is also refused when another field is missing', { timeout: 300_000 }, async () => {
    const hidden: string[] = []
    const found = new Set<string>()
    const routesToCall = routes.filter(({ path }) => !isOfMachines(path) && !replacesSession(path))
    // Each route takes dozens of requests.
    for (const route of sampleOf('calls with a missing field', routesToCall, 60)) {
      const ofApplicant = /\/(account|auth|schools)\//.test(route.path)
      const actor = route.operation.security ? (ofApplicant ? sari : admin) : undefined
      for (const form of formsOf(bodySchemaOf(route)!)) {
        const sound = bodyOf(form)
        const before = namedIn(await ask(route.method, pathOf(route), sound, actor?.token))
        const wrong: Record<string, string> = {}
        for (const [name, field] of Object.entries(form.properties ?? {})) {
          if (isChosen(field) || typeof sound[name] !== 'string' || before.includes(name)) continue
          for (const value of typed) {
            const answer = await ask(route.method, pathOf(route), { ...sound, [name]: value }, actor?.token)
            if (!namedIn(answer).includes(name)) continue
            wrong[name] = value
            break
          }
        }
        const names = Object.keys(wrong)
        for (const name of names) found.add(`${route.method} ${route.path} ${name}`)
        const missing =
          Object.keys(sound).find((name) => !names.includes(name) && !isChosen(form.properties![name]!)) ?? names[0]
        if (!missing || names.length === 0) continue
        const { [missing]: _, ...others } = { ...sound, ...wrong }
        // Limits are per account, and a new account has used none of them.
        const rested = actor && (await (ofApplicant ? asApplicant(t) : asStaff(t)))
        const named = namedIn(await ask(route.method, pathOf(route), others, rested?.token))
        for (const name of names)
          if (name !== missing && !named.includes(name))
            hidden.push(
              `${route.method} ${route.path} ${name}=${JSON.stringify(wrong[name])} without ${missing}: ${named}`,
            )
      }
    }
    expect(hidden).toEqual([])
    expect(found.size).toBeGreaterThan(isWhole ? 150 : 0)
  })
})
