import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { anOpenSurvey } from '#server-test/factories/surveys.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t?.close())

test('a shared link shows the title of its survey, and an unknown address shows nothing', async () => {
  const { slug } = await anOpenSurvey(t, staff)
  const { version, definition } = (await t.app.inject(`/api/survei/${slug}`)).json().data
  const page = await t.app.inject(`/survei/${slug}`)
  expect(version).toBe(1)
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain(`<meta property="og:title" content="${definition.title.id} · `)
  expect(page.body).toContain('<meta name="branding"')
  expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  const unknown = await t.app.inject('/survei/tidak-ada')
  expect([unknown.statusCode, unknown.body.includes('og:title')]).toEqual([200, false])
})
