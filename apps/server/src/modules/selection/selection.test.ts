import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SelectionEntry } from '#domain/selection/lists.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { aRun, candidatesOf, outcomesOf, readRun, rulesOf } from '#server-test/factories/selection/selections.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { computeRun } from './runs/compute-run.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let detailId: string
beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  staff = await asStaff(t)
  const detail = await t.db
    .updateTable('programmeDetails')
    .set({ capacity: 3, passingGrade: 50 })
    .where('programmeId', '=', academic.programmes[0])
    .returning('id')
    .executeTakeFirstOrThrow()
  detailId = detail.id
})
afterAll(() => t.close())

describe('places by track', () => {
  const grid = async (actor = staff) => (await actor.get(`/seleksi/quotas/${detailId}`)).json().data
  const save = async (body: object, actor = staff) =>
    actor.put(`/seleksi/quotas/${detailId}`, { version: (await grid()).version, overOffer: 0, tracks: [], ...body })
  const tracks = (regular: number, achievement: number, turn: number | null = 2) => [
    { trackId: academic.tracks.regular, places: regular, spillTurn: 1 },
    { trackId: academic.tracks.achievement, places: achievement, spillTurn: turn },
  ]

  it('divide the capacity, leave the limit of submissions alone, and are shown on the board', async () => {
    const saved = await save({ overOffer: 5, tracks: tracks(2, 1) })
    expect(saved.statusCode, saved.body).toBe(200)
    expect(await grid()).toMatchObject({ capacity: 3, overOffer: 5, tracks: [{ places: 2 }, { places: 1 }] })
    expect((await grid()).candidates[0]).toMatchObject({ submissionLimit: 100 })
    const board = (await staff.get(`/seleksi/quotas?programmeId=${academic.programmes[0]}`)).json().data
    expect(board).toMatchObject([
      { track: null, places: 3, overOffer: 5, accepted: 0, free: 8 },
      { track: 'Prestasi', places: 1, overOffer: null },
      { track: 'Reguler', places: 2, spillTurn: 1 },
    ])
  })

  it('never exceed the capacity, not even in the database', async () => {
    const refused = await save({ tracks: tracks(3, 1) })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['tracks']])
    await expect(
      t.db.updateTable('trackQuotas').set({ places: 3 }).where('spillTurn', '=', 2).execute(),
    ).rejects.toThrow('more places than its capacity')
    await expect(
      t.db.updateTable('programmeDetails').set({ capacity: 2 }).where('id', '=', detailId).execute(),
    ).rejects.toThrow('more places than its capacity')
  })

  it('saved in parallel: the second division is refused if both together exceed the capacity', async () => {
    await save({ tracks: [] })
    const raise = (trackId: string) =>
      t.db.insertInto('trackQuotas').values({ programmeDetailId: detailId, trackId, places: 2 }).execute()
    const { regular, achievement } = academic.tracks
    // The first division is checked but not committed yet.
    const first = sql.raw(`DO $$ BEGIN
      INSERT INTO track_quotas (programme_detail_id, track_id, places) VALUES ('${detailId}', '${regular}', 2);
      SET CONSTRAINTS ALL IMMEDIATE;
    END $$`)
    const [second] = await raceBehind(t, first, 1, () => Promise.allSettled([raise(achievement)]))
    expect(second.status).toBe('rejected')
    const stored = await t.db
      .selectFrom('trackQuotas')
      .select('trackId')
      .where('programmeDetailId', '=', detailId)
      .execute()
    expect(stored).toEqual([{ trackId: regular }])
  })

  it('have each spill turn once and only tracks of the wave', async () => {
    expect((await save({ tracks: tracks(1, 1, 1) })).json().errors.tracks[0]).toMatch(/same turn/)
    const stranger = { trackId: academic.programmes[0], places: 1, spillTurn: null }
    expect((await save({ tracks: [stranger] })).statusCode).toBe(422)
  })

  it('are changed by users with the programme in their scope and the present version', async () => {
    const other = await asWithPermissions(t, ['seleksi-view', 'seleksi-update'], {
      programmeIds: [academic.programmes[1]],
    })
    expect((await other.get(`/seleksi/quotas/${detailId}`)).statusCode).toBe(404)
    expect((await save({}, other)).statusCode).toBe(404)
    const board = (await other.get('/seleksi/quotas')).json().data as { programme: string }[]
    expect(board.map(({ programme }) => programme)).toEqual(['Sistem Informasi'])
    expect((await save({ version: 1 })).json().code).toBe('stale_version')
    expect((await save({ tracks: [] })).statusCode).toBe(200)
  })
})

it('a programme with an over-offer accepts that many more by hand', async () => {
  const { wave, programmes } = academic
  const set = (overOffer: number) =>
    t.db
      .updateTable('programmeDetails')
      .set({ capacity: 1, overOffer })
      .where('programmeId', '=', programmes[1])
      .execute()
  await set(1)
  const ids = await candidatesOf(t, academic, Array(3).fill({ choices: [programmes[1]], score: 80 }))
  const accept = (id: string) => staff.post(`/pendaftaran/${id}/accept`, { programmeId: programmes[1] })
  const answers = await Promise.all(ids.map(accept))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409])
  const refused = answers.find(({ statusCode }) => statusCode === 409)!.json()
  expect([refused.code, refused.message]).toEqual(['programme_full', expect.stringContaining('2')])
  const free = (await staff.get(`/seleksi/quotas?waveId=${wave}&programmeId=${programmes[1]}`)).json().data[0]
  expect(free).toMatchObject({ accepted: 2, free: 0 })
})

describe('a run', () => {
  let runId: string
  let ids: string[]
  const entriesOf = async (query = '', headers = {}) =>
    (await staff.get(`/seleksi/${runId}/entries?sort=rank${query}`, headers)).json().data as SelectionEntry[]

  it('explains the outcome of every choice in both languages', async () => {
    const [a] = academic.programmes
    await t.db.updateTable('programmeDetails').set({ capacity: 2 }).where('id', '=', detailId).execute()
    ids = await candidatesOf(t, academic, [
      { choices: [a], score: 91.25 },
      { choices: [a], score: 80 },
      { choices: [a], score: 70 },
      { choices: [a], score: 40 },
      { choices: [a], score: null },
    ])
    const run = await aRun(t, staff, academic, { reservePercent: 0 })
    runId = run.id
    expect(run).toMatchObject({ status: 'computed', counts: { placed: 4, kept: 2, reserve: 0 } })
    const why = Object.fromEntries((await entriesOf(`&programmeId=${a}`)).map((row) => [row.registrationId, row.why]))
    expect(ids.map((id) => why[id])).toEqual([
      'Rank 1, 2 places, last admitted 80,00.',
      'Rank 2, 2 places, last admitted 80,00.',
      'Rank 3, 2 places, last admitted 80,00.',
      'Total 40,00 is below the passing grade 50,00.',
      'A test has no score.',
    ])
    const [third] = await entriesOf(`&outcome=full&programmeId=${a}`, { 'accept-language': 'id' })
    expect(third!.why).toBe('Peringkat 3, 2 kursi, nilai terakhir diterima 80,00.')
  })

  it('can be searched, filtered and exported', async () => {
    expect(await entriesOf('&outcome=placed')).toHaveLength(2)
    const [row] = await entriesOf('&outcome=no_score')
    expect(await entriesOf(`&q=${row!.code}`)).toMatchObject([{ registrationId: ids[4] }])
    const csv = await staff.get(`/seleksi/${runId}/entries/export?format=csv&columns=name,why`)
    expect(csv.body).toContain('last admitted 80,00')
  })

  it('holds a place by hand for a reason and releases it', async () => {
    const { version } = await readRun(staff, runId)
    const hold = { version, registrationId: ids[3], programmeId: academic.programmes[0], kind: 'place' }
    expect((await staff.post(`/seleksi/${runId}/holds`, hold)).statusCode).toBe(422)
    const held = await staff.post(`/seleksi/${runId}/holds`, { ...hold, reason: 'Juara olimpiade nasional' })
    expect(held.statusCode, held.body).toBe(200)
    await t.runJobs()
    expect(await outcomesOf(t, runId, ids)).toEqual([['placed'], ['full'], ['full'], ['held'], ['no_score']])
    expect((await entriesOf('&outcome=held'))[0]!.why).toContain('Juara olimpiade nasional')
    const released = await staff.delete(`/seleksi/${runId}/holds/${ids[3]}?version=${version + 1}`)
    expect(released.statusCode).toBe(200)
    await computeRun(t.services, runId)
    expect((await outcomesOf(t, runId, ids))[3]).toEqual(['below_minimum'])
  })

  it('blocks applicants whom the settings forbid to accept', async () => {
    await t.db
      .insertInto('documents')
      .values({
        registrationId: ids[0]!,
        name: 'Surat pindah',
        required: true,
        acceptedTypes: ['pdf'],
        maxMb: 5,
        mayDefer: false,
        status: 'empty',
      })
      .execute()
    const { version } = await readRun(staff, runId)
    await staff.post(`/seleksi/${runId}/compute`, { version })
    await computeRun(t.services, runId)
    expect((await outcomesOf(t, runId, ids)).slice(0, 3)).toEqual([['blocked'], ['placed'], ['placed']])
    await t.db.deleteFrom('documents').where('registrationId', '=', ids[0]!).execute()
  })

  it("takes final scores unchanged and uses a programme's own weights", async () => {
    const { id: scoreRunId } = await t.db
      .insertInto('scoreRuns')
      .values({ waveId: academic.wave, name: 'Z', methods: '{}', inputHash: 'x', createdAt: t.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await t.db
      .insertInto('finalScores')
      .values(
        ids
          .slice(0, 4)
          .map((registrationId, index) => ({ scoreRunId, registrationId, testId: academic.test, score: 600 + index })),
      )
      .execute()
    const rules = rulesOf(academic)
    const created = await staff.post('/seleksi', {
      name: 'Nilai akhir',
      waveId: academic.wave,
      scoreRunId,
      rules: {
        ...rules,
        criteria: [
          ...rules.criteria,
          {
            trackId: academic.tracks.regular,
            programmeId: academic.programmes[0],
            tests: [{ testId: academic.test, weight: 2, passMark: 601 }],
          },
        ],
      },
    })
    const { id } = created.json().data
    await computeRun(t.services, id)
    expect((await outcomesOf(t, id, ids)).flat()).toEqual(['below_minimum', 'reserve', 'placed', 'placed', 'no_score'])
    const [best] = (await staff.get(`/seleksi/${id}/entries?sort=rank&outcome=placed`)).json().data
    expect(best).toMatchObject({ total: 603, why: expect.stringContaining('602,00') })
  })

  it("refuses rules that contradict each other or name other waves' data", async () => {
    const rules = rulesOf(academic)
    const post = (change: object) =>
      staff.post('/seleksi', { name: 'Salah', waveId: academic.wave, scoreRunId: null, rules: { ...rules, ...change } })
    expect((await post({ criteria: [...rules.criteria, ...rules.criteria] })).statusCode).toBe(422)
    expect((await post({ tracks: [{ trackId: academic.tracks.achievement, ties: 'lot' }] })).statusCode).toBe(422)
    const unknown = { ...rules.criteria[0]!, tests: [{ testId: academic.wave, weight: 1, passMark: null }] }
    expect((await post({ criteria: [unknown] })).statusCode).toBe(422)
  })

  it('shows a limited role its own programmes and lets it change nothing', async () => {
    const limited = await asWithPermissions(t, ['seleksi-view', 'seleksi-update'], {
      programmeIds: [academic.programmes[1]],
    })
    expect((await limited.get(`/seleksi/${runId}/entries`)).json().data).toHaveLength(3)
    const present = (await limited.get(`/seleksi/${runId}`)).json().data
    expect(present.quotas.map(({ programme }: { programme: string }) => programme)).toEqual(['Sistem Informasi'])
    expect(present.refusal).toMatch(/every study programme/)
    const changed = await limited.post(`/seleksi/${runId}/compute`, { version: present.version })
    expect([changed.statusCode, changed.json().code]).toEqual([403, 'selection_by_whole'])
    const reader = await asWithPermissions(t, ['seleksi-view'])
    expect((await reader.post(`/seleksi/${runId}/compute`, { version: present.version })).statusCode).toBe(403)
  })

  it('can be deleted if it was not adopted', async () => {
    const { version } = await readRun(staff, runId)
    expect((await staff.delete(`/seleksi/${runId}?version=${version - 1}`)).json().code).toBe('stale_version')
    expect((await staff.delete(`/seleksi/${runId}?version=${version}`)).statusCode).toBe(200)
    expect((await staff.get(`/seleksi/${runId}`)).statusCode).toBe(404)
  })
})

it('a track without a spill turn accepts no more by hand than its own places, also in parallel', async () => {
  const { programmes, programmeDetails, tracks } = academic
  const [, detail] = programmeDetails
  await t.db.updateTable('programmeDetails').set({ capacity: 100, overOffer: 0 }).where('id', '=', detail).execute()
  const divide = (spillTurn: number | null) =>
    t.db
      .insertInto('trackQuotas')
      .values({ programmeDetailId: detail, trackId: tracks.regular, places: 3, spillTurn })
      .onConflict((own) => own.columns(['programmeDetailId', 'trackId']).doUpdateSet({ spillTurn }))
      .execute()
  await divide(null)
  const ids = await candidatesOf(t, academic, Array(3).fill({ choices: [programmes[1]], score: 80 }))
  const accept = (id: string) => staff.post(`/pendaftaran/${id}/accept`, { programmeId: programmes[1] })
  // Two of the three places are taken by the acceptances with the over-offer above.
  const lock = sql`SELECT FROM programme_details WHERE id = ${detail} FOR UPDATE`
  const answers = await raceBehind(t, lock, 3, () => Promise.all(ids.map(accept)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
  const refused = answers.find(({ statusCode }) => statusCode === 409)!.json()
  expect([refused.code, refused.message]).toEqual(['track_full', expect.stringContaining('3')])
  await divide(1)
  const waiting = ids[answers.findIndex(({ statusCode }) => statusCode === 409)]!
  expect((await accept(waiting)).statusCode).toBe(200)
  await t.db.deleteFrom('trackQuotas').where('programmeDetailId', '=', detail).execute()
})
