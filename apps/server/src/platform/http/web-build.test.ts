import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test("every answer, even a refusal, names the page's build, so that an older tab notices an update", async () => {
  const page = await t.app.inject('/')
  const build = /<meta name="build" content="(\w{12})" \/>/.exec(page.body)?.[1]
  expect(build).toBeDefined()
  for (const url of ['/api/health', '/api/account', '/api/nowhere'])
    expect((await t.app.inject(url)).headers['x-web-build']).toBe(build)
})

test('a server under load refuses calls and still serves the pages that explain it', async () => {
  const busy = await testApp({ sameDatabaseAs: t, config: { maxEventLoopDelayMs: 0.000_001 } })
  try {
    // The event loop lag is measured once a second.
    await expect.poll(async () => (await busy.app.inject('/api/auth/options')).statusCode).toBe(503)
    const call = await busy.app.inject('/api/auth/options')
    expect([call.statusCode, call.json().code, call.headers['retry-after']]).toEqual([503, 'service_unavailable', '5'])
    const page = await busy.app.inject('/kirim-informasi/pendaftaran')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  } finally {
    await busy.close()
  }
})
