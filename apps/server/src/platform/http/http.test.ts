import zlib from 'node:zlib'
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { authenticate } from '#server/platform/access/authentication.ts'
import { requireAccessOnEveryRoute } from '#server/platform/access/authorization.ts'
import { systemClock } from '#server/platform/clock.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import { asApplicant, asStaff } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { answerErrors } from './error-handler.ts'
import { speakZod } from './http.ts'
import { serve } from './serve.ts'
import { webBuild } from './web-build.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** A small server with the platform's hooks and one route. */
async function serverWith(add: (app: ReturnType<typeof fastify>) => void) {
  const app = fastify()
  speakZod(app as never, systemClock)
  answerErrors(app as never)
  authenticate(app as never, t.services.sessions, t.clock)
  requireAccessOnEveryRoute(app as never)
  await app.register(rateLimit, { global: false })
  await app.register(async (scope) => add(scope as never))
  await app.ready()
  return app
}

const echo = endpoint({
  method: 'POST',
  path: '/echo',
  access: 'public',
  summary: 'Echo',
  body: z.strictObject({
    name: z.string().min(3),
    age: z.int().min(17),
    email: z.email().optional(),
    kind: z.enum(['a', 'b']).optional(),
    choices: z
      .array(z.object({ id: z.uuid() }))
      .max(2)
      .optional(),
  }),
  response: z.object({ data: z.object({ name: z.string(), at: time }) }),
})

test('behind HTTPS every answer tells browsers to stay there', async () => {
  const secure = await testApp({ config: { publicUrl: 'https://pmb.usr.test' }, sameDatabaseAs: t })
  const paths = ['/daftar', '/daftar/prodi/NIHIL', '/sitemap.xml', '/bayar/salah', '/sign-in', '/api/health']
  for (const url of paths) {
    const { headers } = await secure.app.inject({ url })
    expect(headers['strict-transport-security'], url).toBe('max-age=31536000; includeSubDomains')
    expect((await t.app.inject({ url })).headers['strict-transport-security'], url).toBeUndefined()
  }
  await secure.close()
})

test('the server refuses to start with a route that does not declare its access', async () => {
  await expect(serverWith((app) => app.get('/forgotten', async () => 'x'))).rejects.toThrow(
    'GET /forgotten declares no access',
  )
})

test('refused input gets one sentence per field, in the language of the request', async () => {
  const app = await serverWith((scope) =>
    serve(scope, echo, async ({ body }) => ({ data: { name: body.name, at: new Date() } })),
  )
  const payload = { name: 'ab', age: 5, email: 'x', kind: 'c', surprise: 1, choices: [{ id: 'no' }] }
  const english = await app.inject({ method: 'POST', url: '/echo', payload })
  expect(english.statusCode).toBe(422)
  expect(english.json()).toEqual({
    message: 'Some answers need your attention.',
    code: 'invalid_input',
    errors: {
      name: ['Please use at least 3 characters.'],
      age: ['Must be at least 17.'],
      email: ['Please enter a valid e-mail address, such as name@example.com.'],
      kind: ['Please choose one of the options.'],
      surprise: ['This field is not expected here.'],
      'choices.0.id': ['This choice is not known.'],
    },
  })
  const headers = { 'accept-language': 'id-ID,id;q=0.9,en;q=0.8' }
  const indonesian = await app.inject({ method: 'POST', url: '/echo', payload: {}, headers })
  expect(indonesian.json().errors).toEqual({ name: ['Harap diisi.'], age: ['Harap diisi.'] })
})

test('a malformed id gives the same answer as an unknown one', async () => {
  const read = endpoint({
    method: 'GET',
    path: '/things/:id',
    access: 'public',
    summary: 'Read',
    params: z.object({ id: z.uuid() }),
    response: z.object({ data: z.string() }),
  })
  const app = await serverWith((scope) => serve(scope, read, async ({ params }) => ({ data: params.id })))
  const answer = await app.inject({ method: 'GET', url: '/things/12' })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
})

test('text that cannot be stored is refused with its field, in body, path and query', async () => {
  const search = endpoint({
    method: 'GET',
    path: '/search/:word',
    access: 'public',
    summary: 'Search',
    params: z.object({ word: z.string() }),
    query: z.strictObject({ q: z.string().optional() }),
    response: z.object({ data: z.string() }),
  })
  const app = await serverWith((scope) => {
    serve(scope, echo, async ({ body }) => ({ data: { name: body.name, at: new Date() } }))
    serve(scope, search, async ({ params }) => ({ data: params.word }))
  })
  const unreadableMessages = [
    'This contains characters that cannot be stored. Please type it again instead of pasting it.',
  ]
  const post = async (payload: string) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/echo', payload, headers })
    return [answer.statusCode, answer.json().errors]
  }
  expect(await post('{"name":"a\\u0000b","age":18}')).toEqual([422, { name: unreadableMessages }])
  expect(await post('{"name":"Sari","choices":[{"id":"half \\ud800"}]}')).toEqual([
    422,
    { 'choices.0.id': unreadableMessages },
  ])
  expect(await post('{"name":"Sari","a\\u0000":1}')).toEqual([422, { 'a\u0000': unreadableMessages }])
  expect(await post(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toEqual([
    422,
    { form: ['Please check this answer.'] },
  ])
  expect((await app.inject({ url: '/search/a%00?q=%00' })).json().errors).toEqual({ word: unreadableMessages })
  expect((await app.inject({ url: '/search/a?q=%00' })).json().errors).toEqual({ q: unreadableMessages })
  expect((await app.inject({ url: '/search/a?q=😀' })).statusCode).toBe(200)
})

test('dates are sent as ISO text, and undeclared fields are not sent', async () => {
  const moment = new Date('2026-11-20T10:00:00Z')
  const app = await serverWith((scope) =>
    serve(scope, echo, async () => ({ data: { name: 'Sari', at: moment, passwordHash: 'secret' } }) as never),
  )
  const answer = await app.inject({ method: 'POST', url: '/echo', payload: { name: 'Sari', age: 18 } })
  expect(answer.json()).toEqual({ data: { name: 'Sari', at: '2026-11-20T10:00:00.000Z' } })
})

test('an expected failure has a sentence, a code and a request id; an unexpected one shows no internals', async () => {
  const answerToFailure = (error: Error) =>
    serverWith((scope) =>
      serve(scope, echo, async () => {
        throw error
      }),
    ).then((app) => app.inject({ method: 'POST', url: '/echo', payload: { name: 'Sari', age: 18 } }))
  const stale = await answerToFailure(conflict('stale_version'))
  expect(stale.statusCode).toBe(409)
  expect(stale.json()).toEqual({
    message: expect.stringContaining('Somebody else changed this'),
    code: 'stale_version',
    request_id: expect.any(String),
  })
  const field = await answerToFailure(
    invalid({ name: ['already_exists', { code: 'file_too_large', params: { maximum: '2 MB' } }] }),
  )
  expect(field.statusCode).toBe(422)
  expect(field.json().errors.name).toEqual([
    'This already exists.',
    'This file is larger than 2 MB. Please choose a smaller one.',
  ])
  const internal = await answerToFailure(new Error('relation "secrets" does not exist'))
  expect(internal.statusCode).toBe(500)
  expect(internal.body).not.toContain('secrets')
  expect(internal.json().request_id).toBeTruthy()
})

test('a duplicate unique value and a reference to no row are refused with their field', async () => {
  const role = await t.db.selectFrom('roles').select('id').limit(1).executeTakeFirstOrThrow()
  const attempt = (values: Record<string, unknown>) =>
    serverWith((scope) =>
      serve(scope, echo, async () => {
        await t.db
          .insertInto('accounts')
          .values(values as never)
          .execute()
        return { data: { name: '', at: '' } }
      }),
    ).then((app) => app.inject({ method: 'POST', url: '/echo', payload: { name: 'Sari', age: 18 } }))
  await attempt({ name: 'A', email: 'twice@example.com', roleId: role.id })
  const twice = await attempt({ name: 'B', email: 'TWICE@example.com', roleId: role.id })
  expect(twice.statusCode).toBe(422)
  expect(twice.json()).toMatchObject({ code: 'already_exists', errors: { emailLower: ['This already exists.'] } })
  const nowhere = await attempt({ name: 'C', email: 'c@example.com', roleId: '00000000-0000-4000-8000-000000000000' })
  expect(nowhere.json().errors).toHaveProperty('roleId')
})

test('too many calls by one person are refused with Retry-After, and others continue', async () => {
  const app = await serverWith((scope) =>
    serve(scope, echo, async ({ body }) => ({ data: { name: body.name, at: new Date() } }), {
      rateLimit: { max: 2, timeWindow: '1 minute', keyOf: (request) => (request.body as { name: string }).name },
    }),
  )
  const call = (name: string) => app.inject({ method: 'POST', url: '/echo', payload: { name, age: 18 } })
  expect([(await call('Sari')).statusCode, (await call('Sari')).statusCode]).toEqual([200, 200])
  const refusal = await call('Sari')
  expect(refusal.statusCode).toBe(429)
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
  expect(refusal.json().code).toBe('too_many_requests')
  expect((await call('Budi')).statusCode).toBe(200)
})

test("one person's refused calls do not use up the limit of an address that a school shares", async () => {
  const app = await serverWith((scope) =>
    serve(scope, echo, async ({ body }) => ({ data: { name: body.name, at: new Date() } }), {
      rateLimit: { max: 2, timeWindow: '1 minute', keyOf: (request) => (request.body as { name: string }).name },
    }),
  )
  const call = (name: string) => app.inject({ method: 'POST', url: '/echo', payload: { name, age: 18 } })
  for (let count = 0; count < 21; count++) await call('Sari')
  expect((await call('Budi')).statusCode).toBe(200)
})

test('malformed JSON, an unknown path and a too large body are answered in our format', async () => {
  const post = (payload: string) =>
    t.app.inject({ method: 'POST', url: '/api/login', payload, headers: { 'content-type': 'application/json' } })
  expect((await post('{"a":')).statusCode).toBe(400)
  expect((await post(JSON.stringify({ a: 'x'.repeat(1_100_000) }))).json().code).toBe('payload_too_large')
  const unknown = await t.app.inject({ url: '/api/nowhere', headers: { 'accept-language': 'id' } })
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json().message).toBe('Data ini tidak ada atau sudah tidak tersedia.')
})

test('every screen returns the page, under a policy without inline scripts', async () => {
  const page = await t.app.inject({ url: '/pendaftaran/123/program' })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("script-src 'self'")
  expect(policy.match(/script-src[^;]*/)![0]).not.toContain('unsafe')
  expect(policy).toContain("frame-ancestors 'none'")
  expect((await t.app.inject({ url: '/wp-login.php' })).statusCode).toBe(404)
})

test.skipIf(!webBuild().page)(
  'a file of the build is sent as the build compressed it, without the headers of pages',
  async () => {
    const url = /src="(\/app\/assets\/[^"]+\.js)"/.exec(webBuild().page!)![1]!
    const sent = await t.app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect(sent.headers['content-encoding']).toBe('br')
    expect(sent.headers['content-type']).toContain('javascript')
    expect(sent.headers.vary).toContain('accept-encoding')
    expect(sent.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(sent.headers['x-content-type-options']).toBe('nosniff')
    // Workers have a policy of their own.
    expect(sent.headers['content-security-policy']).toBe("default-src 'self'")
    expect(sent.headers['x-frame-options']).toBeUndefined()
    const plain = await t.app.inject({ url })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(zlib.brotliDecompressSync(sent.rawPayload).toString()).toBe(plain.body)
  },
)

test('health, readiness and the documentation work without signing in', async () => {
  for (const url of ['/api/health', '/api/ready'])
    expect((await t.app.inject({ url })).json()).toEqual({ status: 'ok' })
  const docs = (await t.app.inject({ url: '/api/docs/json' })).json()
  expect(docs.paths).toHaveProperty('/api/auth/permissions')
})

test('a missing permission is enforced by the API, not only hidden', async () => {
  const applicant = await asApplicant(t)
  const refusal = await applicant.get('/master/fakultas')
  expect(refusal.statusCode).toBe(403)
  expect(refusal.json()).toMatchObject({ code: 'forbidden' })
  expect((await (await asStaff(t)).get('/master/fakultas')).statusCode).toBe(200)
})
