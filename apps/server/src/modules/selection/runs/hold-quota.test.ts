import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { aRun, candidatesOf, outcomesOf, readRun, verified } from '#server-test/factories/selection/selections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { computeRun } from './compute-run.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let ids: string[]
beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  staff = await asStaff(t)
})
afterAll(() => t.close())

beforeEach(async () => {
  await sql`DELETE FROM selection_runs`.execute(t.owner)
  await sql`DELETE FROM track_quotas`.execute(t.owner)
  await sql`UPDATE registrations SET status = 'cancelled', closed_from = 'verified', closed_at = now()`.execute(t.owner)
  ids = await candidatesOf(
    t,
    academic,
    [90, 80, 70].map((score) => ({ choices: [academic.programmes[0]], score })),
  )
})

const capacity = (places: number) =>
  t.db
    .updateTable('programmeDetails')
    .set({ capacity: places, overOffer: 0, passingGrade: null })
    .where('id', '=', academic.programmeDetails[0])
    .execute()

async function hold(runId: string, index: number) {
  const { version } = await readRun(staff, runId)
  const body = { registrationId: ids[index], programmeId: academic.programmes[0], kind: 'place', reason: 'Juara' }
  return staff.post(`/seleksi/${runId}/holds`, { version, ...body })
}

it('a place held beyond the quota gets 409, also in parallel', async () => {
  await capacity(1)
  const run = await aRun(t, staff, academic)
  const answers = await Promise.all([hold(run.id, 1), hold(run.id, 2)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const refused = await hold(run.id, 0)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'hold_above_quota'])
  expect(refused.json().message).toContain('All 1 places')
  await computeRun(t.services, run.id)
  expect((await verified(staff, run.id)).verifiedAt).not.toBeNull()
})

it('a track without a spill turn holds no more than its own places', async () => {
  await capacity(3)
  const part = { programmeDetailId: academic.programmeDetails[0], trackId: academic.tracks.regular, places: 1 }
  await t.db
    .insertInto('trackQuotas')
    .values({ ...part, spillTurn: null })
    .execute()
  const run = await aRun(t, staff, academic)
  expect((await hold(run.id, 0)).statusCode).toBe(200)
  expect((await hold(run.id, 1)).json().code).toBe('hold_above_quota')
  await t.db.updateTable('trackQuotas').set({ spillTurn: 1 }).execute()
  expect((await hold(run.id, 1)).statusCode).toBe(200)
})

it('held places beyond a quota lowered later fail verification, and the database refuses to adopt them', async () => {
  await capacity(3)
  const run = await aRun(t, staff, academic)
  for (const index of [0, 1, 2]) expect((await hold(run.id, index)).statusCode).toBe(200)
  await capacity(1)
  await computeRun(t.services, run.id)
  expect((await outcomesOf(t, run.id, ids)).flat()).toEqual(['held', 'held', 'held'])
  const { checks, verifiedAt } = await verified(staff, run.id)
  expect(checks!.filter(({ faults }) => faults > 0).map(({ rule }) => rule)).toEqual(['quota'])
  expect(verifiedAt).toBeNull()
  const adoptedPastTheVerifier =
    sql`UPDATE selection_runs SET status = 'adopted', adopted_at = now(), verified_at = now(),
    verified_hash = output_hash WHERE id = ${run.id}`.execute(t.db)
  await expect(adoptedPastTheVerifier).rejects.toThrow('more places by hand')
})

it('a verification gets 409 while another one runs, and parallel ones never fail otherwise', async () => {
  await capacity(2)
  const run = await aRun(t, staff, academic)
  const verify = () => staff.post(`/seleksi/${run.id}/verify`, {})
  await t.owner.transaction().execute(async (tx) => {
    await sql`SELECT FROM selection_runs WHERE id = ${run.id} FOR UPDATE`.execute(tx)
    const refused = await verify()
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'selection_busy'])
  })
  const answers = await Promise.all(Array.from({ length: 6 }, verify))
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
})

it("scores recorded after the selection's score run are counted as a warning but refuse nothing", async () => {
  await capacity(2)
  const methods = JSON.stringify([{ testId: academic.test, method: { kind: 'as_is' } }])
  const { id: scoreRunId } = await t.db
    .insertInto('scoreRuns')
    .values({ waveId: academic.wave, name: 'Nilai akhir', methods, inputHash: 'x', createdAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db
    .insertInto('finalScores')
    .values(ids.map((registrationId) => ({ scoreRunId, registrationId, testId: academic.test, score: 80 })))
    .execute()
  const { id } = await aRun(t, staff, academic)
  await t.db.updateTable('selectionRuns').set({ scoreRunId, status: 'computing' }).where('id', '=', id).execute()
  await computeRun(t.services, id)
  const newerScores = async () => (await staff.get(`/seleksi/${id}`)).json().data.newerScores
  expect(await newerScores()).toBe(0)
  await t.db
    .updateTable('testScores')
    .set({ score: 10, recordedAt: new Date(Date.now() + 60_000) })
    .where('registrationId', '=', ids[1]!)
    .execute()
  expect(await newerScores()).toBe(1)
  const answer = await staff.post(`/seleksi/${id}/verify`, {})
  expect(answer.json().data).toMatchObject({ newerScores: 1, verifiedAt: expect.any(String) })
})
