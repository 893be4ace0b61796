import { afterAll, beforeAll, expect, test } from 'vitest'
import { helpPages } from '#domain/chat/help-page.ts'
import { asApplicant, asStaff } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { setSettings } from '#server-test/factories/installation/installations.ts'
import { registrationForTest } from '#server-test/factories/registrations/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

const help = async (reader: { get: (url: string) => Promise<{ json(): any }> }, page: string) =>
  (await reader.get(`/help?page=${page}`)).json().data

test('every page of a new database has three questions in both languages', async () => {
  const reader = await asApplicant(t)
  for (const page of helpPages) {
    const { questions } = await help(reader, page)
    expect(questions, page).toHaveLength(3)
    for (const { question, answer } of questions)
      for (const { id, en } of [question, answer]) expect([id, en, id === en]).toEqual([id, en, false])
  }
})

test('what staff write is read at once, in their order, in Indonesian where no English was entered', async () => {
  const [reader, clerk] = [await asApplicant(t), await asStaff(t, 'Panitia PMB')]
  const [first] = (await help(reader, 'start')).questions
  const question = { screen: 'start', question: 'Di mana kampusnya?', answer: 'Di Jakarta.', sortOrder: 1 }
  expect((await clerk.post('/master/pertanyaan', question)).statusCode).toBe(201)
  const { questions } = await help(reader, 'start')
  expect(questions).toHaveLength(3)
  expect(questions[0].question).toEqual({ id: 'Di mana kampusnya?', en: 'Di mana kampusnya?' })
  expect(questions[1]).toEqual(first)
  expect((await reader.post('/master/pertanyaan', question)).statusCode).toBe(403)
})

test('names the registration that goes on, and a mobile number of the university for WhatsApp', async () => {
  const [reader, other] = [await asApplicant(t, { profile: true }), await asApplicant(t)]
  const id = await registrationForTest(t.db, await academicFixture(t.db, t.clock.now()), reader.accountId)
  const { code } = await t.db.selectFrom('registrations').select('code').where('id', '=', id).executeTakeFirstOrThrow()
  await setSettings(t, { phone: '0812-3456-7890' })
  expect(await help(reader, 'payment')).toMatchObject({ registrationCode: code, whatsapp: '6281234567890' })
  expect(await help(other, 'payment')).toMatchObject({ registrationCode: null })
  await setSettings(t, { phone: '(021) 555 1234' })
  expect(await help(reader, 'payment')).toMatchObject({ whatsapp: null, phone: '(021) 555 1234' })
})
