import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { now, step } from '#server-test/factories/registrations/registration-steps.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let target: { programmeId: string; classProgrammeId: string }
const takeRequests = (value: boolean) =>
  t.db
    .insertInto('settings')
    .values({ key: 'programmeChangeRequests', value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
  const { programmes, classProgramme } = await academicOf(t)
  target = { programmeId: programmes[1], classProgrammeId: classProgramme }
  await takeRequests(true)
})
afterAll(() => t?.close())

const reason = 'Lebih berminat di sana'
async function ask({ id, applicant }: { id: string; applicant: TestActor }) {
  const preview = await applicant.post(`/pendaftaran/${id}/programme-request/preview`, target)
  const seen = preview.json().data?.seen ?? ''
  return applicant.post(`/pendaftaran/${id}/programme-request`, { ...target, reason, seen })
}

test("an applicant asks once, and a clerk's change to the requested programme grants the request", async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const { id, applicant } = registration
  const answers = await Promise.all([ask(registration), ask(registration)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const [row] = (await staff.get('/pindah-prodi/requests?status=pending')).json().data
  expect(row).toMatchObject({ registrationId: id, reason, placesFree: expect.any(Number), ...target })
  const openRequest = async () => (await staff.get(`/pendaftaran/${id}/programme-change`)).json().data.asked
  expect(await openRequest()).toMatchObject({ ...target, reason })
  const { seen } = (await staff.post(`/pendaftaran/${id}/programme-change/preview`, target)).json().data
  const granted = await staff.post(`/pendaftaran/${id}/programme-change`, { ...target, reason, seen })
  expect(granted.statusCode).toBe(200)
  expect(await openRequest()).toBeNull()
  expect((await applicant.get(`/pendaftaran/${id}/programme-request`)).json().data.request.status).toBe('granted')
  expect((await applicant.get('/pindah-prodi')).json().data).toMatchObject([{ registrationId: id, changedBy: '' }])
})

test('a refusal is sent with its reason, and a withdrawn request cannot be refused', async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const { applicant } = registration
  const { id } = (await ask(registration)).json().data
  expect((await staff.post(`/pindah-prodi/requests/${id}/refuse`, { reason: 'Kursi terbatas' })).statusCode).toBe(200)
  const message = await t.db
    .selectFrom('messages')
    .select('body')
    .where('accountId', '=', applicant.accountId)
    .where('event', '=', 'programme-request-refused')
    .executeTakeFirstOrThrow()
  expect(message.body).toContain('Kursi terbatas')
  const second = (await ask(registration)).json().data
  expect((await applicant.post(`/pindah-prodi/requests/${second.id}/withdraw`, {})).statusCode).toBe(200)
  const late = await staff.post(`/pindah-prodi/requests/${second.id}/refuse`, { reason: 'Kursi terbatas' })
  expect([late.statusCode, late.json().code]).toEqual([409, 'programme_request_decided'])
})

test('requests for other applicants, for a full programme, or while requests are closed are refused', async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const { applicant: stranger } = await aRegistration(t)
  expect((await ask({ id: registration.id, applicant: stranger })).statusCode).toBe(404)
  expect((await ask({ id: registration.id, applicant: staff })).statusCode).toBe(403)
  const { programmeDetails } = await academicOf(t)
  const capacity = (value: number) =>
    t.db.updateTable('programmeDetails').set({ capacity: value }).where('id', '=', programmeDetails[1]).execute()
  await capacity(0)
  const full = await ask(registration)
  await capacity(40)
  expect([full.statusCode, full.body]).toEqual([422, expect.stringContaining('programmeId')])
  await takeRequests(false)
  const closed = await ask(registration)
  await takeRequests(true)
  expect([closed.statusCode, closed.json().code]).toEqual([409, 'programme_request_closed'])
})

const lockOf = (id: string) => sql`SELECT FROM registrations WHERE id = ${id} FOR UPDATE`
const statusOf = async (id: string) =>
  (await t.db.selectFrom('programmeRequests').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

test('a request refused, granted and withdrawn at once has one outcome', async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const { id, applicant } = registration
  const request = (await ask(registration)).json().data
  const { seen } = (await staff.post(`/pendaftaran/${id}/programme-change/preview`, target)).json().data
  const answers = await raceBehind(t, lockOf(id), 3, () =>
    Promise.all([
      staff.post(`/pindah-prodi/requests/${request.id}/refuse`, { reason: 'Kursi terbatas' }),
      applicant.post(`/pindah-prodi/requests/${request.id}/withdraw`, {}),
      staff.post(`/pendaftaran/${id}/programme-change`, { ...target, reason, seen }),
    ]),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
  const status = await statusOf(request.id)
  expect(status).toBe(
    (['refused', 'withdrawn', 'granted'] as const)[answers.findIndex((one) => one.statusCode === 200)],
  )
  const moved = await t.db.selectFrom('registrations').select('programmeId').where('id', '=', id).executeTakeFirst()
  expect(moved!.programmeId === target.programmeId).toBe(status === 'granted')
})

test('a change sent six times at once happens once; the others get change_stale', async () => {
  const { id } = await aRegistration(t, { status: 'paid' })
  const { seen } = (await staff.post(`/pendaftaran/${id}/programme-change/preview`, target)).json().data
  const move = () => staff.post(`/pendaftaran/${id}/programme-change`, { ...target, reason, seen })
  const answers = await raceBehind(t, lockOf(id), 6, () => Promise.all(Array.from({ length: 6 }, move)))
  expect(answers.map((answer) => answer.json().code ?? answer.statusCode).sort()).toEqual([
    200,
    ...Array(5).fill('change_stale'),
  ])
})

test('a request closes with its registration, and the database allows none for an ended registration', async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const { id, applicant } = registration
  const request = (await ask(registration)).json().data
  const ended = sql`UPDATE registrations SET status = 'withdrawn', closed_from = status, closed_at = now()
    WHERE id = ${id}`
  await expect(ended.execute(t.db)).rejects.toThrow('has no request')
  expect((await step(applicant, id, 'withdraw', { reason })).statusCode).toBe(200)
  expect(await statusOf(request.id)).toBe('closed')
  expect((await staff.get(`/pindah-prodi/requests?status=closed`)).json().data).toMatchObject([{ id: request.id }])
  const late = { ...target, registrationId: id, reason, difference: 0, askedAt: now }
  await expect(t.db.insertInto('programmeRequests').values(late).execute()).rejects.toThrow('has no request')
})
