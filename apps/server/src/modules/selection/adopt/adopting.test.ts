import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { computeRun } from '#server/modules/selection/runs/compute-run.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import {
  adopted,
  aRun,
  candidatesOf,
  emptyWave,
  outcomesOf,
  readRun,
  verified,
} from '#server-test/factories/selection/selections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let ids: string[]
/** Two study programmes: `a` has two places, `b` has one. */
let a: string
let b: string

beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  staff = await asStaff(t)
  ;[a, b] = academic.programmes
})
afterAll(() => t.close())

beforeEach(async () => {
  await emptyWave(t)
  await t.db.deleteFrom('trackQuotas').execute()
  for (const [programmeId, capacity] of [
    [a, 2],
    [b, 1],
  ] as const)
    await t.db
      .updateTable('programmeDetails')
      .set({ capacity, overOffer: 0, passingGrade: null })
      .where('programmeId', '=', programmeId)
      .execute()
  ids = await candidatesOf(t, academic, [
    { choices: [a], score: 90 },
    { choices: [a, b], score: 80 },
    { choices: [a, b], score: 70 },
    { choices: [a], score: 60 },
    { choices: [a], score: 50 },
    { choices: [a], score: null },
  ])
})

const stateOf = async () => {
  const rows = await t.db
    .selectFrom('registrations')
    .select(['id', 'status', 'decision', 'acceptedProgrammeId', 'programmeId', 'selectionRunId'])
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => rows.find((row) => row.id === id)!)
}
const decisions = async () => (await stateOf()).map(({ status, decision }) => decision ?? status)
const publish = (version = 0) =>
  staff.put('/publications', {
    waveId: academic.wave,
    trackId: academic.tracks.regular,
    publishAt: t.clock.now().toISOString(),
    version,
  })
const score = (index: number, points: number) =>
  t.db
    .insertInto('testScores')
    .values({ registrationId: ids[index]!, testId: academic.test, score: points })
    .onConflict((one) => one.columns(['registrationId', 'testId']).doUpdateSet({ score: points }))
    .execute()

it('an adoption writes unpublished decisions with steps and audit entries, and leaves reserve candidates undecided', async () => {
  const run = await aRun(t, staff, academic, { reservePercent: 50 })
  expect(await decisions()).toEqual(Array(6).fill('verified'))
  const present = await adopted(t, staff, run.id)
  expect([present.status, present.failure]).toEqual(['adopted', null])
  expect(await decisions()).toEqual(['accepted', 'accepted', 'accepted', 'verified', 'not_accepted', 'not_accepted'])
  const [, , third] = await stateOf()
  // Accepted for the second choice, which is now the registration's programme.
  expect(third).toMatchObject({ acceptedProgrammeId: b, programmeId: b, selectionRunId: run.id })
  const steps = await t.db
    .selectFrom('registrationSteps')
    .select(['step', 'fromProgrammeId'])
    .where('registrationId', '=', ids[2]!)
    .where('step', 'in', ['accepted', 'moved'])
    .orderBy('step')
    .execute()
  expect(steps).toEqual([
    { step: 'accepted', fromProgrammeId: null },
    { step: 'moved', fromProgrammeId: a },
  ])
  const { reason, before, after } = await t.db
    .selectFrom('auditLog')
    .select(['reason', 'before', 'after'])
    .where('subjectId', '=', ids[4]!)
    .where('action', '=', 'registration.reject')
    .executeTakeFirstOrThrow()
  expect(reason).toBe('Informatika: peringkat 5, 2 kursi, nilai terakhir diterima 80,00.')
  expect([before, after]).toMatchObject([{ status: 'verified' }, { status: 'decided', decision: 'not_accepted' }])
  const reserve = await t.db.selectFrom('reservePlaces').select(['registrationId', 'rank', 'status']).execute()
  expect(reserve).toEqual([{ registrationId: ids[3], rank: 1, status: 'waiting' }])
  // Nobody is notified before the publication.
  expect(await t.db.selectFrom('messages').select('id').execute()).toEqual([])
  const other = await asWithPermissions(t, ['pendaftaran-view'])
  expect((await other.get(`/pendaftaran/${ids[0]}`)).json().data.status).toBe('verified')
})

it('a run is adopted once, however often adoption is requested', async () => {
  const run = await aRun(t, staff, academic)
  const { version } = await verified(staff, run.id)
  const answers = await Promise.all([1, 2, 3].map(() => staff.post(`/seleksi/${run.id}/adopt`, { version })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
  await Promise.all([t.runJobs(), t.runJobs()])
  expect((await staff.post(`/seleksi/${run.id}/adopt`, { version })).json().code).toBe('selection_adopted')
  const { many } = await t.db
    .selectFrom('registrationSteps')
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .where('registrationId', 'in', ids)
    .where('step', '=', 'accepted')
    .executeTakeFirstOrThrow()
  expect(Number(many)).toBe(3)
})

it('adoption is refused if a score changed after the run was computed', async () => {
  const run = await aRun(t, staff, academic)
  const { version } = await verified(staff, run.id)
  await score(3, 99)
  const refused = await staff.post(`/seleksi/${run.id}/adopt`, { version })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'selection_input_changed'])
  expect(refused.json().message).toMatch(/Recalculate it/)
  expect(await decisions()).toEqual(Array(6).fill('verified'))
  const again = await staff.post(`/seleksi/${run.id}/compute`, { version })
  await computeRun(t.services, run.id)
  expect((await adopted(t, staff, again.json().data.id)).status).toBe('adopted')
  expect((await decisions())[3]).toBe('accepted')
})

it('a capacity changed between request and job resets the run to computed', async () => {
  const run = await aRun(t, staff, academic)
  const { version } = await verified(staff, run.id)
  expect((await staff.post(`/seleksi/${run.id}/adopt`, { version })).statusCode).toBe(200)
  await t.db.updateTable('programmeDetails').set({ capacity: 1 }).where('programmeId', '=', a).execute()
  await t.runJobs()
  const present = await readRun(staff, run.id)
  expect(present.status).toBe('computed')
  expect(present.failure).toMatch(/changed since/)
  expect(await decisions()).toEqual(Array(6).fill('verified'))
})

it('a failed adoption writes nothing and is tried again', async () => {
  const run = await aRun(t, staff, academic)
  const { version } = await verified(staff, run.id)
  await staff.post(`/seleksi/${run.id}/adopt`, { version })
  // Fails in the middle: acceptances are written, refusals are not.
  await sql`ALTER TABLE registration_steps ADD CONSTRAINT killed CHECK (step <> 'not_accepted') NOT VALID`.execute(
    t.owner,
  )
  await t.runJobs()
  expect(await decisions()).toEqual(Array(6).fill('verified'))
  expect((await readRun(staff, run.id)).status).toBe('adopting')
  await sql`ALTER TABLE registration_steps DROP CONSTRAINT killed`.execute(t.owner)
  await sql`UPDATE pgboss.job SET start_after = created_on WHERE name = 'adopt-selection' AND state = 'retry'`.execute(
    t.owner,
  )
  await t.runJobs()
  expect((await readRun(staff, run.id)).status).toBe('adopted')
})

it('an adoption never exceeds the capacity when staff accept by hand in parallel', async () => {
  for (let round = 0; round < 3; round++) {
    const [outsider] = await candidatesOf(t, academic, [{ choices: [a], score: 10 }])
    const run = await aRun(t, staff, academic)
    const { version } = await verified(staff, run.id)
    await staff.post(`/seleksi/${run.id}/adopt`, { version })
    await Promise.all([t.runJobs(), staff.post(`/pendaftaran/${outsider}/accept`, { programmeId: a })])
    const { many } = await t.db
      .selectFrom('registrations')
      .select(({ fn }) => fn.countAll<number>().as('many'))
      .where('programmeId', '=', a)
      .where('decision', '=', 'accepted')
      .executeTakeFirstOrThrow()
    expect(Number(many)).toBeLessThanOrEqual(2)
    const { status } = await readRun(staff, run.id)
    if (status === 'adopted') break
  }
})

it('a run after the publication takes no place away and lists who gains one', async () => {
  const first = await aRun(t, staff, academic, { reservePercent: 0 })
  await adopted(t, staff, first.id)
  await publish()
  await t.runJobs()
  // The second of the ranking drops to 20 points, and an applicant without a score now has the best.
  await score(1, 20)
  await score(5, 95)
  await t.db.updateTable('programmeDetails').set({ overOffer: 1 }).where('programmeId', '=', a).execute()
  const second = await aRun(t, staff, academic, { reservePercent: 0 })
  expect(await outcomesOf(t, second.id, ids)).toEqual([['kept'], ['kept'], ['kept'], ['full'], ['full'], ['placed']])
  const moves = (await staff.get(`/seleksi/${second.id}/moves/${first.id}`)).json().data
  expect(moves).toMatchObject([{ id: ids[5], kind: 'gained', before: null, after: 'Informatika' }])
  await adopted(t, staff, second.id)
  expect(await decisions()).toEqual(['accepted', 'accepted', 'accepted', 'not_accepted', 'not_accepted', 'accepted'])
  expect((await publish(1)).statusCode).toBe(200)
  // Only the applicant with a new result is notified again.
  const messageCount = async (event: string) =>
    (
      await t.db
        .selectFrom('messages')
        .select('link')
        .where('event', '=', event)
        .where('channel', '=', 'inbox')
        .execute()
    ).length
  await t.runJobs()
  expect([await messageCount('registration-accepted'), await messageCount('registration-not-accepted')]).toEqual([4, 3])
})

it('a run before the publication decides about everybody again', async () => {
  const first = await aRun(t, staff, academic, { reservePercent: 0 })
  await adopted(t, staff, first.id)
  await score(4, 99)
  const second = await aRun(t, staff, academic, { reservePercent: 100 })
  await adopted(t, staff, second.id)
  expect(await decisions()).toEqual(['accepted', 'accepted', 'verified', 'verified', 'accepted', 'not_accepted'])
  expect((await stateOf())[1]).toMatchObject({ programmeId: b })
})

it('a later run keeps acceptances that staff made by hand', async () => {
  await adopted(t, staff, (await aRun(t, staff, academic)).id)
  const reverted = await staff.post(`/pendaftaran/${ids[1]}/revert-decision`, { reason: 'Salah pilihan' })
  expect(reverted.statusCode, reverted.body).toBe(200)
  expect((await staff.post(`/pendaftaran/${ids[1]}/accept`, { programmeId: a })).statusCode).toBe(200)
  const later = await aRun(t, staff, academic)
  expect((await outcomesOf(t, later.id, ids)).slice(0, 2)).toEqual([['placed'], ['kept']])
})

it("adopting a what-if copy saves its quotas and closes the earlier run's reserve places", async () => {
  const first = await aRun(t, staff, academic)
  const detail = await t.db
    .selectFrom('programmeDetails')
    .select(['id', 'version'])
    .where('programmeId', '=', a)
    .executeTakeFirstOrThrow()
  const places = [{ programmeDetailId: detail.id, trackId: null, places: 2 }]
  const tried = (await staff.post(`/seleksi/${first.id}/what-if`, { places })).json().data
  expect(tried).toMatchObject({ gained: 1, lost: 0, moved: 1 })
  const copy = await staff.post(`/seleksi/${first.id}/copy`, { name: 'Dengan kelebihan', places })
  await computeRun(t.services, copy.json().data.id)
  const copied = await readRun(staff, copy.json().data.id)
  expect(copied.quotas.find(({ programmeDetailId }) => programmeDetailId === detail.id)!.places).toBe(4)
  const untouched = await t.db
    .selectFrom('programmeDetails')
    .select('overOffer')
    .where('id', '=', detail.id)
    .executeTakeFirst()
  expect(untouched).toEqual({ overOffer: 0 })
  await adopted(t, staff, first.id)
  expect(
    (await t.db.selectFrom('reservePlaces').select('status').execute()).every(({ status }) => status === 'waiting'),
  ).toBe(true)
  // The first adoption changed the input, so the copy has to be computed again.
  await staff.post(`/seleksi/${copied.id}/compute`, { version: copied.version })
  await computeRun(t.services, copied.id)
  await adopted(t, staff, copied.id)
  expect(await decisions()).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'verified', 'not_accepted'])
  const saved = await t.db
    .selectFrom('programmeDetails')
    .select(['overOffer', 'version'])
    .where('id', '=', detail.id)
    .executeTakeFirst()
  expect(saved).toEqual({ overOffer: 2, version: detail.version + 1 })
  const statuses = await t.db
    .selectFrom('reservePlaces')
    .select(['selectionRunId', 'status'])
    .where('status', '=', 'waiting')
    .execute()
  expect(new Set(statuses.map(({ selectionRunId }) => selectionRunId))).toEqual(new Set([copied.id]))
})

it('adoption needs the permission to decide and a role for the whole university', async () => {
  const run = await aRun(t, staff, academic)
  const { version } = await verified(staff, run.id)
  const withoutDeciding = await asWithPermissions(t, ['seleksi-view', 'seleksi-update'])
  expect((await withoutDeciding.post(`/seleksi/${run.id}/adopt`, { version })).statusCode).toBe(403)
  const limited = await asWithPermissions(t, ['seleksi-view', 'seleksi-update', 'pendaftaran-decide'], {
    programmeIds: [a],
  })
  const refused = await limited.post(`/seleksi/${run.id}/adopt`, { version })
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'selection_by_whole'])
})

it('a programme not divided by track has one reserve list for all tracks', async () => {
  const { regular, achievement } = academic.tracks
  const [other] = await candidatesOf(t, academic, [{ choices: [a], score: 55, trackId: achievement }])
  const criteria = [regular, achievement].map((trackId) => ({
    trackId,
    programmeId: null,
    tests: [{ testId: academic.test, weight: 1, passMark: null }],
  }))
  const tracks = [regular, achievement].map((trackId) => ({ trackId, ties: 'lot' as const }))
  await adopted(t, staff, (await aRun(t, staff, academic, { tracks, criteria })).id)
  const reserve = await t.db
    .selectFrom('reservePlaces')
    .select(['registrationId', 'trackId', 'rank'])
    .where('programmeId', '=', a)
    .orderBy('rank')
    .execute()
  expect(reserve.slice(0, 2)).toEqual([
    { registrationId: ids[3], trackId: null, rank: 1 },
    { registrationId: other, trackId: null, rank: 2 },
  ])
})

it('a run being adopted refuses changes, and a killed job is tried again after 30 seconds', async () => {
  const run = await aRun(t, staff, academic)
  const { version } = await verified(staff, run.id)
  expect((await staff.post(`/seleksi/${run.id}/adopt`, { version })).statusCode).toBe(200)
  const refused = await staff.post(`/seleksi/${run.id}/adopt`, { version: version + 1 })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'selection_adopting'])
  const { rows } = await sql<{ name: string; seconds: number }>`SELECT name, heartbeat_seconds AS seconds
    FROM pgboss.queue WHERE name IN ('adopt-selection', 'compute-selection') ORDER BY name`.execute(t.owner)
  expect(rows.map(({ seconds }) => seconds)).toEqual([30, 30])
  await t.runJobs()
})
