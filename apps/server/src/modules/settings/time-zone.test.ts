import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestDocument } from '#domain/documents/endpoints.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** 22.30 of the 20th in Jakarta, 00.30 of the 21st in Jayapura. */
const night = new Date('2026-11-20T15:30:00Z')

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(night)
  await academicOf(t)
  staff = await asStaff(t)
  const { versions } = (await staff.get('/settings/general')).json().data
  const place = { timeZone: 'Asia/Jayapura', monthNames: 'indonesian', version: versions.place ?? 0 }
  const saved = await staff.put('/settings/general/place', place)
  expect(saved.statusCode, saved.body).toBe(200)
})
afterAll(() => t?.close())

test('a bill issued after midnight in Eastern Indonesia is due at 23.59 there', async () => {
  const { id, applicant, trackId } = await aRegistration(t, { status: 'decided' })
  await publish(t, trackId)
  const confirmed = await applicant.post(`/pendaftaran/${id}/confirm`, {})
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  expect(confirmed.json().data.bills.reRegistration.next.dueAt).toBe('2026-11-28T14:59:00.000Z')
})

test('a document is due from tomorrow on, and its step ends with that day', async () => {
  const { id, applicant } = await aRegistration(t, { status: 'paid' })
  const ask = (dueOn: string) =>
    staff.post(requestDocument.path.replace(':id', id), { name: 'Surat keterangan', acceptedTypes: ['pdf'], dueOn })
  expect((await ask('2026-11-21')).json().errors.dueOn).toEqual([expect.any(String)])
  const request = await ask('2026-11-22')
  expect(request.statusCode, request.body).toBeLessThan(300)
  const { todo } = (await applicant.get(`/pendaftaran/${id}`)).json().data
  expect(todo.find(({ key }: { key: string }) => key === 'files').dueAt).toBe('2026-11-22T14:59:00.000Z')
})

test('a list of today starts at midnight there', async () => {
  t.clock.set(new Date(night.getTime() - 3_600_000))
  const yesterday = await aRegistration(t)
  t.clock.set(night)
  const today = await aRegistration(t)
  const rows = (await staff.get('/pendaftaran?queue=today')).json().data as { id: string }[]
  const ids = rows.map(({ id }) => id)
  expect([ids.includes(today.id), ids.includes(yesterday.id)]).toEqual([true, false])
})
