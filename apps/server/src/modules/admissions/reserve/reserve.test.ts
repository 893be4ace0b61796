import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expireOffersJob } from '#server/modules/admissions/offers/expire-offers.job.ts'
import { announceResultsJob } from '#server/modules/admissions/results/announce-results.job.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { days, now, registrationSteps, step } from '#server-test/factories/registrations/registration-steps.ts'
import { aReserveList, reserveStatuses } from '#server-test/factories/reserve.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { passOnPlaces } from './offer-place.ts'
import { passOnPlacesJob } from './pass-on-places.job.ts'

let t: TestApp
let staff: TestActor
let academic: Awaited<ReturnType<typeof academicOf>>
const { at } = registrationSteps(() => ({ t, academic }))

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
  await sql`UPDATE track_details SET quota = NULL`.execute(t.db)
})
afterEach(async () => {
  t.clock.set(now)
  // Every test starts with an empty programme.
  await sql`UPDATE registrations SET status = 'cancelled', closed_at = ${now}, closed_from = status
    WHERE status IN ('decided', 'confirmed')`.execute(t.db)
  await sql`UPDATE reserve_places SET status = 'closed', ended_at = ${now} WHERE status IN ('waiting', 'offered')`.execute(
    t.db,
  )
})
afterAll(() => t?.close())

const reason = 'Diterima di tempat lain'
const capacity = (places: number) =>
  t.db
    .updateTable('programmeDetails')
    .set({ capacity: places })
    .where('id', '=', academic.programmeDetails[0])
    .execute()

/** A full programme: acceptances announced, and candidates waiting by rank. */
async function aFullProgramme(accepted: number, waiting: number, isDivided = true) {
  await capacity(100)
  const offers = []
  for (let n = 0; n < accepted; n++) offers.push(await aRegistration(t, { status: 'decided' }))
  const candidates = []
  for (let n = 0; n < waiting; n++) candidates.push(await aRegistration(t, { status: 'verified' }))
  await capacity(accepted)
  const { trackId } = candidates[0]!
  await publish(t, trackId)
  await announceResultsJob.run(t.services, { waveId: academic.wave, trackId })
  const reserve = await aReserveList(
    t,
    academic.programmes[0],
    isDivided ? trackId : null,
    candidates.map(({ id }) => id),
  )
  return { offers, candidates, ...reserve, list: { ...reserve.list, trackId } }
}
const namesIn = async (actor: TestActor, id: string) =>
  (await actor.get(`/pendaftaran/${id}/timeline`)).json().data.map((entry: { name: string }) => entry.name)

test('a declined place goes to the next candidate with a new deadline, and both timelines show it', async () => {
  const { offers, candidates, ids } = await aFullProgramme(1, 2)
  const [leaver, next] = [offers[0]!, candidates[0]!]
  expect((await next.applicant.get(`/pendaftaran/${next.id}`)).json().data.result).toBe('waiting')
  await step(leaver.applicant, leaver.id, 'decline', { reason })
  await t.runJobs()
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting'])
  const detail = (await next.applicant.get(`/pendaftaran/${next.id}`)).json().data
  expect(detail).toMatchObject({ status: 'decided', result: 'accepted' })
  expect(detail.window.confirmationDueAt).toBe('2026-11-23T16:59:00.000Z')
  const { registrations } = (await next.applicant.get('/dashboard')).json().data
  expect(registrations[0].nextStep).toMatchObject({
    key: 'confirmation',
    state: 'todo',
    dueAt: '2026-11-23T16:59:00.000Z',
    path: '/konfirmasi-kelulusan',
  })
  expect(await namesIn(leaver.applicant, leaver.id)).toContain('registration.passOn')
  expect(await namesIn(next.applicant, next.id)).toContain('registration.reserveOffer')
  expect((await step(next.applicant, next.id, 'confirm')).statusCode).toBe(200)
  expect(await reserveStatuses(t, ids)).toEqual(['taken', 'waiting'])
})

test('a place whose offer expires goes to the next candidate, once', async () => {
  const { offers, ids, list } = await aFullProgramme(1, 2)
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  await t.runJobs()
  t.clock.set(days(5))
  await Promise.all([expireOffersJob.run(t.services, {}), expireOffersJob.run(t.services, {})])
  await Promise.all([passOnPlaces(t.services, list), passOnPlaces(t.services, list)])
  expect(await reserveStatuses(t, ids)).toEqual(['expired', 'offered'])
})

test('a reverted decision passes the place on once the results are published', async () => {
  const { offers, ids, list } = await aFullProgramme(1, 1)
  await t.db.deleteFrom('resultPublications').execute()
  expect((await step(staff, offers[0]!.id, 'revert-decision', { reason: 'Keliru' })).statusCode).toBe(200)
  await passOnPlaces(t.services, list)
  expect(await reserveStatuses(t, ids)).toEqual(['waiting'])
  await publish(t, list.trackId)
  await passOnPlacesJob.run(t.services, {})
  expect(await reserveStatuses(t, ids)).toEqual(['offered'])
})

test('twenty declines at once pass on exactly twenty places by rank', {
  timeout: 180_000,
}, async () => {
  const { offers, ids, list } = await aFullProgramme(20, 24)
  const answers = await Promise.all(offers.map(({ applicant, id }) => step(applicant, id, 'decline', { reason })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(offers.map(() => 200))
  await Promise.all([1, 2, 3, 4].map(() => passOnPlaces(t.services, list)))
  expect(await reserveStatuses(t, ids)).toEqual(ids.map((_, index) => (index < 20 ? 'offered' : 'waiting')))
  const { rows } = await sql<{ places: number }>`SELECT count(DISTINCT reserve_place_id)::int AS places
    FROM vacated_places WHERE registration_id = ANY(${offers.map(({ id }) => id)}::uuid[])`.execute(t.db)
  expect(rows[0]!.places).toBe(20)
})

test('a place that two jobs pass on at once goes to one candidate, even if the programme has another free place', async () => {
  const { offers, candidates, ids, list } = await aFullProgramme(1, 3)
  await capacity(2)
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  const lock = sql`SELECT FROM registrations WHERE id = ${candidates[0]!.id} FOR UPDATE`
  await raceBehind(t, lock, 2, () => Promise.all([passOnPlaces(t.services, list), passOnPlaces(t.services, list)]))
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting', 'waiting'])
})

test('two clerks offering one reserve place at once make one offer, and offers out of turn are refused', async () => {
  const { ids, candidates } = await aFullProgramme(1, 3)
  await capacity(2)
  expect((await staff.post(`/seleksi/reserve/${ids[1]}/offer`, {})).json()).toMatchObject({ code: 'reserve_not_next' })
  const lock = sql`SELECT FROM registrations WHERE id = ${candidates[0]!.id} FOR UPDATE`
  const answers = await raceBehind(t, lock, 2, () =>
    Promise.all([1, 2].map(() => staff.post(`/seleksi/reserve/${ids[0]}/offer`, {}))),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting', 'waiting'])
  expect((await staff.post(`/seleksi/reserve/${ids[1]}/offer`, {})).json()).toMatchObject({ code: 'reserve_no_place' })
  await expect(
    t.db
      .updateTable('reservePlaces')
      .set({ status: 'offered', offeredAt: now, dueAt: now })
      .where('id', '=', ids[2]!)
      .execute(),
  ).rejects.toThrow('in the order of the ranks')
})

test('a track that has used up its part of a divided programme gets no offer after the capacity is raised', async () => {
  const { offers, ids, list } = await aFullProgramme(1, 2)
  await capacity(5)
  const part = { programmeDetailId: academic.programmeDetails[0], trackId: list.trackId, places: 1, spillTurn: null }
  await t.db.insertInto('trackQuotas').values(part).execute()
  expect((await staff.post(`/seleksi/reserve/${ids[0]}/offer`, {})).json()).toMatchObject({ code: 'reserve_no_place' })
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  await t.runJobs()
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting'])
  await t.db.deleteFrom('trackQuotas').execute()
})

test('decline and expiry at once pass the place on once', async () => {
  const { offers, ids, list } = await aFullProgramme(1, 3)
  const late = await at(days(61), offers[0]!.applicant)
  await Promise.all([step(late, offers[0]!.id, 'decline', { reason }), expireOffersJob.run(t.services, {})])
  await Promise.all([passOnPlaces(t.services, list), passOnPlaces(t.services, list)])
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting', 'waiting'])
})

test('skipped candidates and closed lists get no offer, and the lists need permission', async () => {
  const { offers, ids } = await aFullProgramme(2, 3)
  expect((await staff.post(`/seleksi/reserve/${ids[0]}/skip`, {})).statusCode).toBe(422)
  expect((await staff.post(`/seleksi/reserve/${ids[0]}/skip`, { reason: 'Mengundurkan diri' })).statusCode).toBe(200)
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  await t.runJobs()
  expect(await reserveStatuses(t, ids)).toEqual(['closed', 'offered', 'waiting'])
  const finance = await asStaff(t, 'Keuangan')
  expect((await finance.get('/seleksi/reserve')).statusCode).toBe(403)
  expect((await staff.post(`/seleksi/reserve/${ids[2]}/close`, { reason: 'Kuliah sudah mulai' })).json().data).toEqual({
    closed: 1,
  })
  await step(offers[1]!.applicant, offers[1]!.id, 'decline', { reason })
  await t.runJobs()
  expect(await reserveStatuses(t, ids)).toEqual(['closed', 'offered', 'closed'])
})

const reopen = (actor: TestActor, id: string, dueAt = days(90).toISOString()) =>
  actor.post(`/pendaftaran/${id}/reopen-offer`, { dueAt, reason: 'Surat terlambat sampai' })

test('a reopened offer has a new deadline, notifies the applicant, is in the timeline, and keeps its place', async () => {
  const { offers, ids, list } = await aFullProgramme(1, 1)
  const { id, applicant } = offers[0]!
  expect((await reopen(staff, id)).json().code).toBe('wrong_status')
  const clerk = await at(days(61), staff)
  await expireOffersJob.run(t.services, {})
  expect((await reopen(clerk, id, days(60).toISOString())).statusCode).toBe(422)
  expect((await clerk.post(`/pendaftaran/${id}/reopen-offer`, { dueAt: days(90).toISOString() })).statusCode).toBe(422)
  expect((await reopen(await asStaff(t, 'Keuangan'), id)).statusCode).toBe(403)
  expect((await reopen(clerk, id)).statusCode).toBe(200)
  await passOnPlaces(t.services, list)
  expect(await reserveStatuses(t, ids)).toEqual(['waiting'])
  const owner = await at(days(62), applicant)
  const detail = (await owner.get(`/pendaftaran/${id}`)).json().data
  expect(detail).toMatchObject({ status: 'decided', result: 'accepted', closedAt: null })
  expect(detail.window.confirmationDueAt).toBe(days(90).toISOString())
  expect((await owner.get(`/pendaftaran/${id}/timeline`)).json().data).toContainEqual(
    expect.objectContaining({ name: 'registration.reopenOffer', reason: 'Surat terlambat sampai' }),
  )
  const messages = await t.db
    .selectFrom('messages')
    .select('event')
    .where('accountId', '=', applicant.accountId)
    .where('event', '=', 'offer-reopened')
    .where('channel', '=', 'inbox')
    .execute()
  expect(messages).toHaveLength(1)
  expect((await step(owner, id, 'confirm')).statusCode).toBe(200)
})

test('a reopened offer takes its place back from the list of a programme that is not divided by track', async () => {
  const { offers, ids } = await aFullProgramme(1, 1, false)
  const clerk = await at(days(61), staff)
  await expireOffersJob.run(t.services, {})
  expect((await reopen(clerk, offers[0]!.id)).statusCode).toBe(200)
  await passOnPlacesJob.run(t.services, {})
  expect(await reserveStatuses(t, ids)).toEqual(['waiting'])
  await sql`UPDATE registrations SET status = 'expired', closed_at = ${now}, closed_from = 'decided'
    WHERE id = ${offers[0]!.id}`.execute(t.db)
  expect((await reopen(clerk, offers[0]!.id)).json().code).toBe('place_to_reserve')
})

test('an offer cannot be reopened once its place went to the next candidate, nor while others wait for a free place', async () => {
  const { offers, ids } = await aFullProgramme(1, 2)
  t.clock.set(days(61))
  await expireOffersJob.run(t.services, {})
  await t.runJobs()
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting'])
  const clerk = await at(days(61), staff)
  expect((await reopen(clerk, offers[0]!.id)).json().code).toBe('place_to_reserve')
  await capacity(2)
  expect((await reopen(clerk, offers[0]!.id)).json().code).toBe('place_to_reserve')
  await capacity(1)
  await clerk.post(`/seleksi/reserve/${ids[1]}/close`, { reason: 'Kuliah sudah mulai' })
  expect((await reopen(clerk, offers[0]!.id)).json().code).toBe('programme_full')
  await capacity(2)
  expect((await reopen(clerk, offers[0]!.id)).statusCode).toBe(200)
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'closed'])
})

test('undoing a declined offer gets 409 in the same way while candidates wait', async () => {
  const { offers, ids } = await aFullProgramme(1, 2)
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  await t.runJobs()
  await capacity(2)
  const answer = await step(staff, offers[0]!.id, 'revert-withdrawal', { reason: 'Keliru menekan' })
  expect(answer.json().code).toBe('place_to_reserve')
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting'])
})

test('a reopened reserve offer appears on its list as an offer again', async () => {
  const { offers, candidates, ids } = await aFullProgramme(1, 1)
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  await t.runJobs()
  const clerk = await at(days(5), staff)
  await expireOffersJob.run(t.services, {})
  expect(await reserveStatuses(t, ids)).toEqual(['expired'])
  expect((await reopen(clerk, candidates[0]!.id)).statusCode).toBe(200)
  expect(await reserveStatuses(t, ids)).toEqual(['offered'])
  expect((await step(await at(days(6), candidates[0]!.applicant), candidates[0]!.id, 'confirm')).statusCode).toBe(200)
  expect(await reserveStatuses(t, ids)).toEqual(['taken'])
})

test('if an offer is reopened while its place is passed on, the place has one holder', async () => {
  for (let round = 0; round < 3; round++) {
    const { offers, candidates, list } = await aFullProgramme(1, 1)
    const clerk = await at(days(61), staff)
    await expireOffersJob.run(t.services, {})
    const [answer] = await Promise.all([reopen(clerk, offers[0]!.id), passOnPlaces(t.services, list)])
    const holders = await t.db
      .selectFrom('registrations')
      .select('id')
      .where('id', 'in', [offers[0]!.id, candidates[0]!.id])
      .where('status', '=', 'decided')
      .execute()
    expect(holders).toEqual([{ id: answer.statusCode === 200 ? offers[0]!.id : candidates[0]!.id }])
    t.clock.set(now)
    await capacity(0)
    await sql`UPDATE registrations SET status = 'cancelled', closed_at = ${now}, closed_from = status
      WHERE status = 'decided'`.execute(t.db)
  }
})

test('a registration that expired as a draft has no offer to reopen', async () => {
  const { id } = await aRegistration(t, { status: 'expired' })
  expect((await reopen(staff, id)).json().code).toBe('wrong_status')
})

test('a programme that is not divided by track has one list, by rank across tracks', async () => {
  const { offers, candidates, ids } = await aFullProgramme(2, 3, false)
  const { achievement } = academic.tracks
  const toAchievement = candidates.slice(0, 2).map(({ id }) => id)
  await t.db.updateTable('registrations').set({ trackId: achievement }).where('id', 'in', toAchievement).execute()
  await publish(t, achievement)
  await capacity(3)
  expect((await staff.post(`/seleksi/reserve/${ids[2]}/offer`, {})).json()).toMatchObject({ code: 'reserve_not_next' })
  await capacity(2)
  await step(offers[0]!.applicant, offers[0]!.id, 'decline', { reason })
  await t.runJobs()
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'waiting', 'waiting'])
  const listed = (await staff.get(`/seleksi/reserve?trackId=${achievement}&status=waiting`)).json().data
  expect(listed).toMatchObject([{ id: ids[1], listTrack: null, track: expect.any(String) }])
  await expect(
    t.db
      .updateTable('reservePlaces')
      .set({ status: 'offered', offeredAt: now, dueAt: now })
      .where('id', '=', ids[2]!)
      .execute(),
  ).rejects.toThrow('in the order of the ranks')
  await sql`UPDATE reserve_places SET status = 'closed', ended_at = ${now} WHERE id = ${ids[2]}`.execute(t.db)
  // No candidate of the declining applicant's track waits any more.
  await step(offers[1]!.applicant, offers[1]!.id, 'decline', { reason })
  await passOnPlacesJob.run(t.services, {})
  expect(await reserveStatuses(t, ids)).toEqual(['offered', 'offered', 'closed'])
})
