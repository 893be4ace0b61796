import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registrationStatuses } from '#domain/admissions/registration-status.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  staff = await asStaff(t, 'Panitia PMB')
  const { tracks } = await academicOf(t)
  for (const status of ['submitted', 'paid', 'verified', 'decided', 'decided'] as const)
    await aRegistration(t, { status })
  await aRegistration(t, { status: 'decided', decision: 'not_accepted' })
  const { id: unpublished } = await aRegistration(t, { status: 'decided' })
  await sql`UPDATE registrations SET track_id = ${tracks.achievement} WHERE id = ${unpublished}`.execute(t.db)
  await publish(t, tracks.regular)
  const { id: yesterday } = await aRegistration(t, { status: 'verified' })
  await sql`UPDATE registrations SET created_at = created_at - interval '1 day' WHERE id = ${yesterday}`.execute(t.db)
  await sql`UPDATE registrations SET documents_state = 'to_review' WHERE status IN ('paid', 'decided')`.execute(t.db)
  await aRegistrationOfAnOldWave()
})
afterAll(() => t?.close())

async function aRegistrationOfAnOldWave() {
  const { id } = await aRegistration(t, { status: 'verified' })
  await sql`INSERT INTO waves SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'code', 'LAMA',
      'name', 'Gelombang lama', 'opens_at', w.opens_at - interval '2 years', 'closes_at', w.closes_at - interval '2 years'))).*
    FROM waves w LIMIT 1`.execute(t.db)
  await sql`UPDATE registrations SET wave_id = (SELECT id FROM waves WHERE code = 'LAMA') WHERE id = ${id}`.execute(
    t.db,
  )
}

const total = async (query: Record<string, string>) =>
  (await staff.get(`/pendaftaran?${new URLSearchParams(query)}`)).json().meta.total as number
const dashboard = async () => (await staff.get('/dashboard')).json().data

it.each([
  ['documents', 'documentsToReview', 1],
  ['decision', 'waitingForDecision', 2],
  ['confirmation', 'waitingForConfirmation', 2],
  ['today', 'newToday', 8],
])('the tile “%s” has the same count as its list', async (queue, tile, count) => {
  expect((await dashboard())[tile]).toBe(count)
  expect(await total({ queue })).toBe(count)
})

it('each status in the table has the same count as its list, without long-closed waves', async () => {
  const { byStatus } = await dashboard()
  for (const status of registrationStatuses) {
    const count = byStatus.find((row: { status: string }) => row.status === status)?.count ?? 0
    expect({ status, count: await total({ queue: 'current', status }) }).toEqual({ status, count })
  }
  expect(await total({ status: 'verified' })).toBe((await total({ queue: 'current', status: 'verified' })) + 1)
})
