import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { aRun, readRun, verified } from '#server-test/factories/selection/selections.ts'
import { raceBehind, untilLocked } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Adoptions in a wave whose results are already published. */
let t: TestApp
let wave: ResultsWave
let academic: AcademicFixture
let staff: TestActor
/** May read registrations but not see unpublished decisions. */
let reader: TestActor
let programmeId: string
/** In the order of their scores; the programme has two places. */
let people: Awaited<ReturnType<typeof aRegistration>>[]

beforeAll(async () => {
  t = await testApp()
  wave = await resultsWave(t)
  academic = wave.academic
  staff = wave.staff
  reader = await asWithPermissions(t, ['pendaftaran-view'])
  programmeId = wave.programmeId
})
afterAll(() => t.close())

beforeEach(async () => {
  people = await wave.start([90, 80, 70, 60])
})

const setCapacity = (capacity: number) => wave.setCapacity(capacity)
const score = (registrationId: string, points: number) => wave.score(registrationId, points)
const goOn = () => wave.goOn()
const adopt = (reservePercent?: number) => wave.adopt(reservePercent)
const publicationRow = () => wave.publicationRow()
const publish = (body?: object) => wave.publish(body)

const seenBy = async (actor: TestActor, index: number) =>
  (await actor.get(`/pendaftaran/${people[index]!.id}`)).json().data
/** The results that applicants see, after checking that staff who do not decide see the same. */
async function seen() {
  const results = await Promise.all(
    people.map(async ({ applicant }, index) => (await seenBy(applicant, index)).result as string),
  )
  const read = await Promise.all(
    people.map(async (_, index) => (await seenBy(reader, index)).decision?.decision ?? 'waiting'),
  )
  expect(read).toEqual(results)
  return results
}
const messages = async (index: number) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', people[index]!.applicant.accountId)
      .where('channel', '=', 'inbox')
      .where('event', 'in', ['registration-accepted', 'registration-not-accepted'])
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)

it('later decisions are hidden until their own publication, which notifies only applicants with a new result', async () => {
  await adopt()
  await publish()
  expect(await seen()).toEqual(['accepted', 'accepted', 'not_accepted', 'not_accepted'])
  await setCapacity(4)
  const late = await aRegistration(t, { status: 'verified' })
  await score(late.id, 75)
  people.push(late)
  const refused = await seenBy(people[2]!.applicant, 2)
  const run = await adopt()
  expect(run).toMatchObject({ publications: [{ publishedAt: expect.any(String), publishAt: null }] })
  // A published refusal becomes an acceptance that nobody sees yet.
  expect(await seen()).toEqual(['accepted', 'accepted', 'not_accepted', 'not_accepted', 'waiting'])
  expect(await seenBy(people[2]!.applicant, 2)).toEqual(refused)
  expect((await seenBy(staff, 2)).decision).toMatchObject({ decision: 'accepted', published: false })
  expect([await messages(2), await messages(4)]).toEqual([['registration-not-accepted'], []])
  expect(await publicationRow()).toMatchObject({ waiting: 2, accepted: 4, publishedAt: expect.any(String) })
  expect((await publish({ waiting: 2 })).statusCode).toBe(200)
  expect(await seen()).toEqual(['accepted', 'accepted', 'accepted', 'not_accepted', 'accepted'])
  expect(await Promise.all([0, 2, 3, 4].map(messages))).toEqual([
    ['registration-accepted'],
    ['registration-not-accepted', 'registration-accepted'],
    ['registration-not-accepted'],
    ['registration-accepted'],
  ])
  expect((await publish()).json().code).toBe('already_published')
})

it('later decisions are published at a set time, which can be moved or cancelled until then', async () => {
  await adopt()
  await publish()
  await setCapacity(4)
  await adopt()
  const at = new Date(t.clock.now().getTime() + 3_600_000)
  const earlier = new Date(at.getTime() - 60_000)
  expect((await publish({ publishAt: earlier.toISOString() })).json().data.publishAt).toBe(earlier.toISOString())
  expect((await publish({ publishAt: at.toISOString() })).json().data).toMatchObject({ publishAt: at.toISOString() })
  expect((await seen())[2]).toBe('not_accepted')
  expect((await publish({ publishAt: null })).json().data).toMatchObject({ publishAt: null, waiting: 2 })
  expect((await publish({ publishAt: at.toISOString() })).statusCode).toBe(200)
  t.clock.set(at)
  expect((await seen())[2]).toBe('accepted')
  expect(await publicationRow()).toMatchObject({ publishedAt: at.toISOString(), publishAt: null, waiting: 0 })
})

it('a run that reverts an unpublished acceptance leaves the applicant the published refusal', async () => {
  await adopt()
  await publish()
  await setCapacity(3)
  await adopt()
  await setCapacity(2)
  await adopt(100)
  expect(await seen()).toEqual(['accepted', 'accepted', 'not_accepted', 'not_accepted'])
  // Reserve candidate: undecided for staff, but the applicant still sees the refusal.
  expect((await seenBy(staff, 2)).status).toBe('verified')
  await setCapacity(4)
  await adopt()
  await publish()
  expect(await seen()).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
})

it('an offered reserve place is visible at once, even for an applicant with an unpublished decision', async () => {
  await adopt()
  await publish()
  await setCapacity(3)
  await adopt()
  await setCapacity(2)
  await adopt(100)
  await setCapacity(3)
  const { id } = await t.db
    .selectFrom('reservePlaces')
    .select('id')
    .where('registrationId', '=', people[2]!.id)
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const offered = await staff.post(`/seleksi/reserve/${id}/offer`, {})
  expect(offered.statusCode, offered.body).toBe(200)
  await t.runJobs()
  expect((await seen())[2]).toBe('accepted')
  expect(await messages(2)).toEqual(['registration-not-accepted', 'registration-accepted'])
})

it('an applicant refused, accepted unpublished and refused again is notified once', async () => {
  await adopt()
  await publish()
  await setCapacity(3)
  await adopt()
  await setCapacity(2)
  await adopt()
  await publish()
  expect(await seen()).toEqual(['accepted', 'accepted', 'not_accepted', 'not_accepted'])
  expect(await messages(2)).toEqual(['registration-not-accepted'])
})

it('reverting an unpublished acceptance leaves the published refusal, and the corrected decision waits too', async () => {
  await adopt()
  await publish()
  await setCapacity(3)
  await adopt()
  const { id } = people[2]!
  expect((await staff.post(`/pendaftaran/${id}/revert-decision`, { reason: 'Salah nilai' })).statusCode).toBe(200)
  expect((await seen())[2]).toBe('not_accepted')
  expect((await staff.get(`/pendaftaran/${id}/decision-basis`)).json().data).toMatchObject({
    published: false,
    waits: true,
  })
  expect((await staff.post(`/pendaftaran/${id}/accept`, { programmeId })).statusCode).toBe(200)
  await t.runJobs()
  expect((await seen())[2]).toBe('not_accepted')
  await publish()
  expect((await seen())[2]).toBe('accepted')
  // After a published decision is reverted, the applicant sees no result.
  expect((await staff.post(`/pendaftaran/${id}/revert-decision`, { reason: 'Salah nilai' })).statusCode).toBe(200)
  expect((await seen())[2]).toBe('waiting')
})

it('a publication waits for a running adoption and then gets 409, because it would show decisions its publisher has not seen', async () => {
  const run = await aRun(t, staff, academic, { reservePercent: 0 })
  const { version } = await verified(staff, run.id)
  expect((await staff.post(`/seleksi/${run.id}/adopt`, { version })).statusCode).toBe(200)
  // Stops the adoption after it has written its decisions.
  const published = await raceBehind(t, sql`LOCK TABLE reserve_places IN SHARE MODE`, 2, async () => {
    const job = t.runJobs()
    await untilLocked(t, 1)
    const answer = await publish({ waiting: 0 })
    await job
    return answer
  })
  expect([published.statusCode, published.json().code]).toEqual([409, 'results_changed'])
  expect((await readRun(staff, run.id)).status).toBe('adopted')
  expect(await seen()).toEqual(Array(4).fill('waiting'))
})

it("results are published at server time if the browser's clock is slow", async () => {
  await adopt()
  const early = new Date(t.clock.now().getTime() - 30_000)
  expect((await publish({ publishAt: early.toISOString() })).statusCode).toBe(200)
  expect((await publicationRow()).publishedAt).toBe(t.clock.now().toISOString())
})

it('a publication is refused if the number of waiting decisions differs from the one the publisher saw', async () => {
  await adopt()
  const refused = await publish({ waiting: 3 })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'results_changed'])
  expect(refused.json().message).toContain('4')
  expect(await seen()).toEqual(Array(4).fill('waiting'))
  expect((await publish({ waiting: 4 })).statusCode).toBe(200)
})

it('of two runs adopted in parallel one is refused, with the name of the user who adopts the other', async () => {
  const runs = await Promise.all([1, 2].map(() => aRun(t, staff, academic)))
  const ready = await Promise.all(runs.map(({ id }) => verified(staff, id)))
  const others = await Promise.all([1, 2].map(() => asStaff(t)))
  goOn()
  const answers = await Promise.all(
    ready.map(({ id, version }, index) => others[index]!.post(`/seleksi/${id}/adopt`, { version })),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const won = answers.findIndex(({ statusCode }) => statusCode === 200)
  const { name } = await t.db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', others[won]!.accountId)
    .executeTakeFirstOrThrow()
  const refused = answers[1 - won]!.json()
  expect(refused.code).toBe('selection_wave_adopting')
  expect(refused.message).toContain(name)
  await t.runJobs()
  expect((await readRun(staff, runs[won]!.id)).status).toBe('adopted')
  const late = ready[1 - won]!
  const again = await staff.post(`/seleksi/${late.id}/adopt`, { version: late.version })
  expect([again.statusCode, again.json().code]).toEqual([409, 'selection_wave_adopted'])
  expect(again.json().message).toContain(name)
})

it('the database refuses inconsistent publication states', async () => {
  await adopt()
  const { id } = people[0]!
  const waitsFor = (number: number) =>
    sql`UPDATE registrations SET published_after = ${number}, hidden_since = now() WHERE id = ${id}`.execute(t.owner)
  await expect(waitsFor(1)).rejects.toThrow('registrations_published_after')
  await publish()
  await expect(sql`UPDATE registrations SET hidden_since = now() WHERE id = ${id}`.execute(t.owner)).rejects.toThrow(
    'registrations_hidden_since',
  )
  await waitsFor(1)
  const change = (assignment: string) =>
    sql`UPDATE result_publications SET ${sql.raw(assignment)} WHERE track_id = ${academic.tracks.regular}`.execute(
      t.owner,
    )
  await expect(change("publish_at = publish_at + interval '1 day'")).rejects.toThrow('decisions were made after')
  const insert = (number: number, shift: string) =>
    sql`INSERT INTO result_publications (wave_id, track_id, number, publish_at)
      SELECT wave_id, track_id, ${number}::int, publish_at + ${shift}::interval FROM result_publications
      WHERE number = 1 AND track_id = ${academic.tracks.regular}`.execute(t.owner)
  await expect(insert(3, '1 day')).rejects.toThrow('result_publications_in_turn')
  await expect(insert(2, '-1 day')).rejects.toThrow('before the one it follows')
})
