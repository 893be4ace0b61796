import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asApplicant } from '#server-test/actors.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { reserveAndRequestOf } from '#server-test/factories/reserve.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

type Exported = Record<string, Record<string, unknown>[]>

test('the export of an applicant has bookings, waiting, attendance, offers, requests, and scores once published', async () => {
  const now = t.clock.now()
  const { id, code, applicant, trackId } = await aRegistration(t, { status: 'decided' })
  const academic = await academicOf(t)
  const [session, full] = [await testSession(t.db, academic, now), await testSession(t.db, academic, now)]
  await sql`INSERT INTO test_seats (test_session_id, registration_id, status, arrived_at)
    VALUES (${session}, ${id}, 'attended', ${now})`.execute(t.db)
  await sql`INSERT INTO test_waiting_places (test_session_id, registration_id, status, joined_at, ended_at)
    VALUES (${full}, ${id}, 'left', ${now}, ${now})`.execute(t.db)
  await sql`INSERT INTO test_scans (id, test_session_id, registration_id, kind, outcome, at, device_at, device_id, device_name,
      received_at)
    VALUES (${crypto.randomUUID()}, ${session}, ${id}, 'arrive', 'recorded', ${now}, ${now}, ${crypto.randomUUID()}, 'HP 1',
      ${now})`.execute(t.db)
  await sql`INSERT INTO test_scores (registration_id, test_id, score) VALUES (${id}, ${academic.test}, 81)`.execute(
    t.db,
  )
  const run = await t.db
    .insertInto('scoreRuns')
    .values({ waveId: academic.wave, name: 'Nilai akhir', methods: '{}', inputHash: 'input', createdAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`INSERT INTO final_scores (score_run_id, registration_id, test_id, score)
    VALUES (${run.id}, ${id}, ${academic.test}, 77.5)`.execute(t.db)
  // Before the publication, because adopting the selection pins the run.
  const pinnedAt = new Date(now.getTime() - 120_000)
  await t.db.updateTable('scoreRuns').set({ pinnedAt }).where('id', '=', run.id).execute()
  const { reservePlace } = await reserveAndRequestOf(t, id, academic.programmes[1])

  const exported = async () => (await applicant.get('/account/export')).json() as Exported
  const before = await exported()
  expect(before).toMatchObject({
    registrations: [{ code, status: 'verified', decision: null, offer_due_at: null }],
    testSeats: [{ registration: code, status: 'attended', arrived_at: expect.any(String) }],
    testWaitingPlaces: [{ registration: code, status: 'left' }],
    testScans: [{ registration: code, kind: 'arrive', outcome: 'recorded' }],
    testScores: [],
    finalScores: [],
    reservePlaces: [],
    programmeRequests: [{ registration: code, reason: 'alasan contoh', status: 'pending' }],
  })
  // The scanning phone and its holder are not data of the applicant.
  expect(JSON.stringify(before)).not.toContain('HP 1')

  await publish(t, trackId)
  const dueAt = new Date(now.getTime() + 86_400_000)
  await t.db
    .updateTable('reservePlaces')
    .set({ status: 'offered', offeredAt: now, dueAt })
    .where('id', '=', reservePlace)
    .execute()
  await t.db.updateTable('registrations').set({ offerDueAt: dueAt }).where('id', '=', id).execute()
  expect(await exported()).toMatchObject({
    registrations: [{ code, decision: 'accepted', offer_due_at: expect.any(String) }],
    testScores: [{ registration: code, score: 81 }],
    finalScores: [{ registration: code, score: 77.5 }],
    reservePlaces: [{ registration: code, status: 'offered', rank: 1, due_at: expect.any(String) }],
  })
})

test('an export works for a whole computer room at one address, and ten times a minute for one account', async () => {
  const pupils = await Promise.all(Array.from({ length: 11 }, () => asApplicant(t)))
  const download = async (pupil: (typeof pupils)[number]) => (await pupil.get('/account/export')).statusCode
  expect(await Promise.all(pupils.map(download))).toEqual(pupils.map(() => 200))
  const [pupil] = pupils
  const again = []
  for (let count = 0; count < 10; count++) again.push(await download(pupil!))
  expect(again).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 429])
})
