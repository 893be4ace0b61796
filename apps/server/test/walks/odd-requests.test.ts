import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aBankAccount } from '#server-test/factories/statements.ts'
import { type Route, routesOf } from '#server-test/routes.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole, seed } from '#testing/form.ts'
import { inheritedNames } from './odd-values.ts'

/**
 * Requests no browser sends: no answer is a 5xx. Each day every odd upload is sent to a quarter of the calls that take
 * a file, and each of these calls gets a quarter of the uploads; four consecutive days cover all pairs.
 */
let t: TestApp
let admin: TestActor
let port: number
beforeAll(async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed')
  })
  t = await testApp()
  admin = await asStaff(t)
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
}, 120_000)
afterAll(async () => {
  vi.unstubAllGlobals()
  await t.close()
})

const patienceMs = 10_000

/** Sends raw bytes and returns the answer up to its status line. */
function sendBytes(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    let answer = ''
    socket.setTimeout(patienceMs, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.includes('\r\n\r\n')) socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(bytes)
  })
}
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW']
const targets = [
  '/%00',
  '/%',
  '/%zz',
  '/%ED%A0%80',
  '/%c0%ae%c0%ae/',
  '//',
  '//[',
  '/\\',
  '/a%00.js',
  '/app/%00',
  '/app/..%2f..%2fpackage.json',
  '/app/%2e%2e/%2e%2e/etc/passwd',
  '/app/assets/%ff',
  '/api/%00',
  '/api//login',
  '/api/docs/static/%00',
  '/api/docs/%2e%2e/',
  '/constructor',
  '/__proto__',
  '/getImage?image=%00&fieldid=__proto__&key=%ff',
  '/api/files/%00/download',
  '/api/verifikasi/%00%00%00%00%00%00%00%00',
  '/api/verifikasi-kuitansi/%ED%A0%80aaaaaaaaa',
  '/?%00=%00&__proto__=1&constructor[a]=1',
  `/${'a/'.repeat(3_000)}`,
  `/api/pendaftaran/${'9'.repeat(2_000)}`,
  'http://[/',
  'http://elsewhere.example/api/health',
  '*',
]

test('no address, however written, and no method make the server fail', async () => {
  const failures: string[] = []
  for (const target of targets)
    for (const method of methods) {
      const answer = await sendBytes(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const status = statusOf(answer)
      if (status === 0 || status >= 500) failures.push(`${method} ${target} → ${answer.slice(0, 400)}`)
    }
  expect(failures).toEqual([])
}, 60_000)

test('an undecodable address is refused in the reader’s language', async () => {
  const { statusCode, headers, body } = await t.app.inject({ url: '/api/%zz', headers: { 'accept-language': 'id' } })
  expect([statusCode, headers['x-content-type-options']]).toEqual([400, 'nosniff'])
  expect(JSON.parse(body)).toMatchObject({
    code: 'malformed_request',
    message: 'Permintaan ini tidak dapat dibaca. Muat ulang halaman, lalu coba lagi.',
  })
})

const post = (more: string) => `POST /api/login HTTP/1.1\r\nHost: x\r\n${more}`
const oddHeaders = [
  'Accept-Language: \xff\xfe',
  'Authorization: \xe9',
  'Cookie: \xff=\xfe; =; constructor=1',
  'User-Agent: \xff',
]
const rawRequests: [string, string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ['NUL in a header', 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n'],
  ['headers of no text', `GET /api/branding HTTP/1.1\r\nHost: x\r\n${oddHeaders.join('\r\n')}\r\n\r\n`],
  ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}')],
  ['a length that is none', post('Content-Length: -1\r\n\r\n')],
  ['a length and chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
  ['broken chunks', post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')],
  ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['a wish for another protocol', 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['an expectation nobody knows', post('Expect: the-moon\r\nContent-Length: 0\r\n\r\n')],
  ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
]

test.each(rawRequests)('a request with %s is answered without failing', async (_what, text) => {
  const status = statusOf(await sendBytes(Buffer.from(text, 'latin1')))
  expect(status).toBeGreaterThan(0)
  expect(status).toBeLessThan(500)
})

test('headers with any content are answered without failing', async () => {
  const values = ['', ',;q=', 'x'.repeat(10_000), 'id;q=NaN', '__proto__', '\u00ff\u00fe', 'Bearer ', 'a=b; =; "']
  const calls = [
    { method: 'GET', url: '/api/branding', names: ['accept-language', 'accept', 'accept-encoding', 'range', 'host'] },
    { method: 'GET', url: '/', names: ['cookie', 'if-none-match', 'origin', 'user-agent'] },
    { method: 'GET', url: '/api/account', names: ['authorization', 'x-forwarded-for', 'accept-language'] },
    { method: 'PUT', url: '/api/account/preferences', names: ['content-type', 'idempotency-key'] },
    { method: 'POST', url: '/api/login', names: ['user-agent', 'authorization', 'content-type'] },
    {
      method: 'POST',
      url: '/api/providers/sandbox/report',
      names: ['x-sandbox-signature', 'x-sandbox-timestamp', 'user-agent'],
    },
    { method: 'POST', url: '/api/snap/none/v1.0/transfer-va/payment', names: ['x-timestamp', 'x-external-id'] },
  ] as const
  const failures: string[] = []
  for (const { method, url, names } of calls)
    for (const name of names)
      for (const value of values) {
        const headers: Record<string, string> = { authorization: `Bearer ${admin.token}`, [name]: value }
        const payload = method === 'GET' ? undefined : { email: 'a@example.com', password: 'x', language: 'en' }
        const { statusCode, body } = await t.app.inject({ method, url, headers, ...(payload && { payload }) })
        if (statusCode >= 500) failures.push(`${url} ${name}: ${value.slice(0, 50)} → ${body}`)
      }
  expect(failures).toEqual([])
}, 60_000)

type Part = { head: string; content: string | Buffer }

/** A multipart body with these parts; without its closing boundary if `ends` is false. */
function form(parts: Part[], { ends = true } = {}) {
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--pmb\r\n${head}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, ...(ends ? [Buffer.from('--pmb--\r\n')] : [])])
}
const fieldHead = (name: string, fileName?: string) =>
  `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`
const content = 'code;name\r\nA;B\r\n'
const file: Part = { head: `${fieldHead('file', 'a.csv')}\r\nContent-Type: text/csv`, content }
const field: Part = { head: fieldHead('mapping'), content: '{}' }

const completeType = 'multipart/form-data; boundary=pmb'
type Upload = { type?: string; body: string | Buffer; minStatus?: number }
const brokenStatus = 400
const uploads: Record<string, Upload> = {
  'no boundary': { type: 'multipart/form-data', body: form([file]), minStatus: brokenStatus },
  'another boundary': { type: 'multipart/form-data; boundary=other', body: form([file]), minStatus: brokenStatus },
  'an empty boundary': { type: 'multipart/form-data; boundary=""', body: form([file]), minStatus: brokenStatus },
  'a boundary without end': {
    type: `multipart/form-data; boundary=${'x'.repeat(3_000)}`,
    body: 'x',
    minStatus: brokenStatus,
  },
  'nothing in it': { type: completeType, body: '', minStatus: brokenStatus },
  'only its end': { type: completeType, body: '--pmb--\r\n', minStatus: brokenStatus },
  'no end': { type: completeType, body: form([file], { ends: false }), minStatus: brokenStatus },
  'an end within the file': { type: completeType, body: form([file]).subarray(0, 100), minStatus: brokenStatus },
  'an end within a head': { type: completeType, body: form([file]).subarray(0, 40), minStatus: brokenStatus },
  'no file': { type: completeType, body: form([field]), minStatus: brokenStatus },
  'two files': { type: completeType, body: form([file, file]) },
  'twenty files': { type: completeType, body: form(Array(20).fill(file)) },
  'a field after the file': { type: completeType, body: form([file, field]) },
  'a hundred fields': { type: completeType, body: form([...Array(100).fill(field), file]) },
  'a part without a head': { type: completeType, body: form([{ head: 'X: y', content }]), minStatus: brokenStatus },
  'a part without a name': { type: completeType, body: form([{ head: fieldHead('', 'a.csv'), content }]) },
  'NUL in its names': { type: completeType, body: form([{ head: fieldHead('fi\0le', 'a\0b.csv'), content }]) },
  'names of no text': { type: completeType, body: form([{ head: fieldHead('file', '\xed\xa0\x80.csv'), content }]) },
  'a name of 5,000 letters': {
    type: completeType,
    body: form([{ head: fieldHead('file', '\u{1d49c}'.repeat(5_000)), content }]),
  },
  'NUL in the file': {
    type: completeType,
    body: form([{ ...file, content: 'code\0;name\r\n' }]),
    minStatus: brokenStatus,
  },
  'a field that is no JSON': { type: completeType, body: form([{ ...field, content: '['.repeat(50_000) }, file]) },
  'a field of another form': { type: completeType, body: form([{ ...field, content: '{"constructor":1}' }, file]) },
  'JSON instead': { type: 'application/json', body: '{"file":1}', minStatus: brokenStatus },
  'text instead': { type: 'text/plain', body: 'x', minStatus: brokenStatus },
  'no type': { body: 'x', minStatus: brokenStatus },
  'a type that is none': { type: 'garbage', body: 'x', minStatus: brokenStatus },
}
for (const name of inheritedNames) {
  const parts = [
    { head: fieldHead(name), content: 'x' },
    { head: fieldHead(name, 'a.csv'), content: 'x' },
  ]
  uploads[`a part called ${name}`] = { type: completeType, body: form(parts), minStatus: brokenStatus }
}

describe('an upload with', () => {
  let routes: { route: Route; url: string; actor: TestActor }[]
  beforeAll(async () => {
    const applicant = await asApplicant(t, { profile: true })
    const { id } = await aRegistration(t, { applicant })
    const slot = await t.db
      .selectFrom('documents')
      .select('id')
      .where('registrationId', '=', id)
      .executeTakeFirstOrThrow()
    const account = await aBankAccount(t, admin)
    // One import represents all entities, because they share the engine.
    routes = routesOf(t.app)
      .filter(({ operation }) => /multipart/.test(operation.summary ?? ''))
      .filter(({ path }) => !/imports$/.test(path) || path.includes('/fakultas/'))
      .map((route) => ({
        route,
        actor: /pendaftaran|my-profile|\/account\//.test(route.path) ? applicant : admin,
        url: route.path
          .replace('{field}', route.path.includes('afiliator') ? 'photoFileId' : 'templateFileId')
          .replace('/pendaftaran/{id}/files/{documentId}', `/pendaftaran/${id}/files/${slot.id}`)
          .replace('/bank-accounts/{id}', `/bank-accounts/${account.id}`),
      }))
  })

  test.each(Object.entries(uploads))('%s is refused with a sentence, or taken without it', async (_what, upload) => {
    const { type, body, minStatus: least = 200 } = upload
    expect(routes.length).toBeGreaterThan(8)
    const failures: string[] = []
    const place = Object.values(uploads).indexOf(upload)
    for (const [index, { url, actor }] of routes.entries()) {
      if (!isWhole && (index + place + seed) % 4 !== 0) continue
      const headers = { authorization: `Bearer ${actor.token}`, ...(type !== undefined && { 'content-type': type }) }
      const answer = await t.app.inject({ method: 'POST', url, payload: body, headers })
      const isAnswered = answer.statusCode < 300 || answer.json().message
      if (answer.statusCode < least || answer.statusCode >= 500 || !isAnswered)
        failures.push(`${url} → ${answer.statusCode} ${answer.body}`)
    }
    expect(failures).toEqual([])
  })
})
