import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('every answer names the build of the page, refusals too, so that an older tab notices an update', async () => {
  const page = await t.app.inject('/')
  const build = /<meta name="build" content="(\w{12})" \/>/.exec(page.body)?.[1]
  expect(build).toBeDefined()
  for (const url of ['/api/health', '/api/account', '/api/nowhere'])
    expect((await t.app.inject(url)).headers['x-web-build']).toBe(build)
})
