import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WaveQuotas } from '#domain/selection/quota-endpoints.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  staff = await asStaff(t)
  await t.db.updateTable('programmeDetails').set({ capacity: 10 }).execute()
})
afterAll(() => t.close())

const path = () => `/seleksi/waves/${academic.wave}/quotas`
const read = async (actor = staff): Promise<WaveQuotas> => (await actor.get(path())).json().data
const divisionOf = ({ id, version }: WaveQuotas['programmes'][number], regular: number, achievement = 4) => ({
  id,
  version,
  overOffer: 1,
  tracks: [
    { trackId: academic.tracks.regular, places: regular, spillTurn: 1 },
    { trackId: academic.tracks.achievement, places: achievement, spillTurn: null },
  ],
})

it('saves every programme of a wave at once, each with an audit entry', async () => {
  const { programmes, tracks } = await read()
  expect(tracks.map(({ trackId }) => trackId)).toContain(academic.tracks.regular)
  expect(programmes.length).toBeGreaterThan(1)
  expect(programmes[0]).toMatchObject({ capacity: 10, overOffer: 0, accepted: 0, tracks: [] })
  const saved = await staff.put(path(), { programmes: programmes.map((programme) => divisionOf(programme, 6)) })
  expect(saved.statusCode, saved.body).toBe(200)
  for (const programme of (await read()).programmes)
    expect(programme).toMatchObject({
      overOffer: 1,
      tracks: [
        { trackId: academic.tracks.regular, places: 6, spillTurn: 1 },
        { trackId: academic.tracks.achievement, places: 4, spillTurn: null },
      ],
    })
  const audits = await t.db.selectFrom('auditLog').select('subjectId').where('action', '=', 'quota.update').execute()
  expect(audits.map(({ subjectId }) => subjectId).sort()).toEqual(programmes.map(({ id }) => id).sort())
})

it('saves nothing if a programme exceeds its capacity, was changed meanwhile, belongs to another wave or is repeated', async () => {
  const { programmes } = await read()
  const [first, second] = programmes as [WaveQuotas['programmes'][number], WaveQuotas['programmes'][number]]
  const tooMany = await staff.put(path(), { programmes: [divisionOf(first, 1), divisionOf(second, 9)] })
  expect([tooMany.statusCode, tooMany.json().errors.programmes[0]]).toEqual([
    422,
    expect.stringContaining(second.programme),
  ])
  const stale = { ...divisionOf(second, 1), version: second.version - 1 }
  expect((await staff.put(path(), { programmes: [divisionOf(first, 1), stale] })).json().code).toBe('stale_version')
  const elsewhere = { ...divisionOf(second, 1), id: academic.wave }
  expect((await staff.put(path(), { programmes: [divisionOf(first, 1), elsewhere] })).statusCode).toBe(404)
  const twice = await staff.put(path(), { programmes: [divisionOf(first, 1), divisionOf(first, 2)] })
  expect(twice.statusCode).toBe(422)
  expect((await read()).programmes).toEqual(programmes)
})

it('shows and changes only programmes of the role, and changes nothing without the permission', async () => {
  const { programmes } = await read()
  const other = await asWithPermissions(t, ['seleksi-view', 'seleksi-update'], {
    programmeIds: [academic.programmes[1]],
  })
  const own = (await read(other)).programmes
  expect(own.length).toBeGreaterThan(0)
  expect(own.length).toBeLessThan(programmes.length)
  const foreign = programmes.find(({ id }) => !own.some((programme) => programme.id === id))!
  expect((await other.put(path(), { programmes: [divisionOf(foreign, 1)] })).statusCode).toBe(404)
  const reader = await asWithPermissions(t, ['seleksi-view'])
  expect((await read(reader)).refusal).not.toBeNull()
  expect((await reader.put(path(), { programmes: [divisionOf(own[0]!, 1)] })).statusCode).toBe(403)
})

it('of two users who save overlapping waves in parallel, one succeeds', async () => {
  const { programmes } = await read()
  const answers = await Promise.all([
    staff.put(path(), { programmes: programmes.map((programme) => divisionOf(programme, 5)) }),
    staff.put(path(), { programmes: programmes.toReversed().map((programme) => divisionOf(programme, 3)) }),
  ])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const places = (await read()).programmes.map(({ tracks }) => tracks[0]!.places)
  expect(new Set(places).size).toBe(1)
})
