import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { type BankAction, callBank } from './call-bank.ts'

let t: TestApp
let url: string
const server = http.createServer((request, response) => {
  if (request.url === '/token') return response.end('{"accessToken":"not-for-the-books"}')
  if (request.url === '/elsewhere') return response.writeHead(302, { location: '/token' }).end()
  response.write('"')
  const flood = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', flood)
  flood()
})

beforeAll(async () => {
  t = await testApp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await t.close()
})

const call = (action: BankAction, path: string) =>
  callBank(t.services, 'call-test', {
    action,
    method: 'POST',
    url: url + path,
    headers: { authorization: 'Bearer not-for-the-books' },
    body: '{"clientKey":"k"}',
  })
const noted = () =>
  t.db.selectFrom('bankCalls').selectAll().where('provider', '=', 'call-test').orderBy('calledAt', 'desc').execute()

test('an endless response is cut off and counts as unavailable', async () => {
  await expect(call('issue', '/')).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await noted()).toMatchObject([{ error: 'the answer has no end', answer: null }])
})

test('a redirect is not followed, so keys are sent only to the configured address', async () => {
  await expect(call('issue', '/elsewhere')).rejects.toMatchObject({ kind: 'unavailable' })
})

test('neither keys nor tokens are stored', async () => {
  expect(await call('token', '/token')).toMatchObject({ json: { accessToken: 'not-for-the-books' } })
  expect(JSON.stringify(await noted())).not.toContain('not-for-the-books')
})
