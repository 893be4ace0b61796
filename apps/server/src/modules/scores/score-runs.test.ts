import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { aParticipant, manyParticipants, scoreImports } from '#server-test/factories/selection/scores.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { pinScoreRun } from './pin-score-run.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let use: ReturnType<typeof scoreImports>
let session: string

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, t.clock.now())
  staff = await asStaff(t)
  use = scoreImports(t, staff, academic)
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.owner.deleteFrom('testScores').execute()
  session = await testSession(t.db, academic, t.clock.now())
})

const participant = (seat: { status?: 'absent' } = {}) => aParticipant(t, academic, { seat: { session, ...seat } })
const create = (method: object = { kind: 'raw' }, body: object = {}) =>
  staff.post('/score-runs', {
    name: 'Perhitungan',
    waveId: academic.wave,
    trackId: null,
    methods: [{ testId: academic.test, method }],
    ...body,
  })
const idOf = async (method?: object) => (await create(method)).json().data.id as string
const finalsOf = async (id: string) => {
  const rows = await t.db
    .selectFrom('finalScores as f')
    .innerJoin('registrations as r', 'r.id', 'f.registrationId')
    .select(['r.code', 'f.score'])
    .where('f.scoreRunId', '=', id)
    .execute()
  return Object.fromEntries(rows.map(({ code, score }) => [code, score]))
}
const countRuns = async () => (await t.db.selectFrom('scoreRuns').select('id').execute()).length
const head = ['Kode', 'Paket', 'TPA', 'bersama'] as const

describe('a score run', () => {
  it('creates final scores for everybody who was present, and leaves the raw scores unchanged', async () => {
    const [one, two, absent] = [await participant(), await participant(), await participant()]
    await use.write([head, [one.code, 'A', 60, 10], [two.code, 'A', 80, 14], [absent.code, 'A', 70, 12]])
    await t.db.updateTable('testSeats').set({ status: 'absent' }).where('registrationId', '=', absent.id).execute()
    const id = await idOf({ kind: 'standard', mean: 50, deviation: 10 })
    expect(await finalsOf(id)).toEqual({ [one.code]: 40, [two.code]: 60 })
    expect((await use.scores())[one.code]).toBe(60)
  })

  it('equates packages through common items', async () => {
    const people = [await participant(), await participant(), await participant(), await participant()]
    const [a, b, c, d] = people.map(({ code }) => code)
    await use.write([head, [a!, 'X', 50, 12], [b!, 'X', 70, 16], [c!, 'Y', 45, 9], [d!, 'Y', 55, 11]])
    const id = await idOf({ kind: 'linear', reference: 'Y', anchor: 'bersama' })
    expect(await finalsOf(id)).toEqual({ [a!]: 60, [b!]: 80, [c!]: 45, [d!]: 55 })
  })

  it('from the same input has the same hash and scores; a corrected score changes both, and the difference is shown', async () => {
    const [one, two] = [await participant(), await participant()]
    await use.write([head, [one.code, 'A', 60, 10], [two.code, 'A', 80, 14]])
    const [first, second] = [(await create()).json().data, (await create()).json().data]
    expect(second.inputHash).toBe(first.inputHash)
    await staff.put(`/pendaftaran/${one.id}/score`, { testId: academic.test, version: 1, score: 66 })
    const third = (await create()).json().data
    expect(third.inputHash).not.toBe(first.inputHash)
    const { tests } = (await staff.get(`/score-runs/${third.id}?comparedWith=${first.id}`)).json().data
    expect(tests[0].compared).toEqual({ both: 2, only: 0, missing: 0, changed: 1, largest: 6 })
    const changed = await staff.get(`/score-runs/${third.id}/scores?comparedWith=${first.id}&changed=true`)
    expect(changed.json().data).toEqual([
      expect.objectContaining({ code: one.code, raw: 66, score: 66, compared: 60, difference: 6 }),
    ])
  })

  it('that fails says why and leaves nothing behind', async () => {
    const runsBefore = await countRuns()
    expect(codeOf(await create())).toEqual([409, 'scores_none_to_run'])
    const one = await participant()
    await use.write([head, [one.code, 'A', 60, 10]])
    const answer = await create({ kind: 'linear', reference: 'Z', anchor: null })
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      expect.stringContaining('no score has the reference package “Z”'),
    ])
    expect(await countRuns()).toBe(runsBefore)
  })

  it('covers the whole wave: a role limited to some programmes neither creates nor reads one', async () => {
    const limited = await asWithPermissions(t, ['import-nilai-cbt-view'], { programmeIds: [academic.programmes[0]] })
    expect((await limited.get('/score-runs')).statusCode).toBe(403)
  })
})

describe('publishing results', () => {
  const adopt = (scoreRunId: string) =>
    t.db
      .insertInto('selectionRuns')
      .values({
        waveId: academic.wave,
        scoreRunId,
        name: 'Seleksi',
        status: 'adopted',
        rules: '{}',
        inputHash: 'masuk',
        outputHash: 'keluar',
        verifiedHash: 'keluar',
        createdAt: t.clock.now(),
        verifiedAt: t.clock.now(),
        adoptedAt: t.clock.now(),
      })
      .execute()
  const pinnedAt = async (id: string) =>
    (await t.db.selectFrom('scoreRuns').select('pinnedAt').where('id', '=', id).executeTakeFirstOrThrow()).pinnedAt

  it('pins the run of the adopted selection, and no other', async () => {
    const one = await participant()
    await use.write([head, [one.code, 'A', 60, 10]])
    const [adopted, other] = [await idOf(), await idOf()]
    await adopt(adopted)
    const now = t.clock.now()
    t.clock.set(now)
    const published = await staff.put('/publications', {
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      publishAt: new Date(t.clock.now().getTime() + 3_600_000).toISOString(),
      version: 0,
    })
    expect(published.statusCode, published.body).toBe(200)
    expect([await pinnedAt(adopted), await pinnedAt(other)]).toEqual([now, null])
    expect(codeOf(await staff.delete(`/score-runs/${adopted}`))).toEqual([409, 'score_run_pinned'])
    expect((await staff.delete(`/score-runs/${other}`)).statusCode).toBe(200)
  })

  it('pinned: neither the run nor its scores can change, not even in the database', async () => {
    const [one, two] = [await participant(), await participant()]
    await use.write([head, [one.code, 'A', 60, 10], [two.code, 'A', 61, 10]])
    const id = await idOf()
    await adopt(id)
    await t.db.transaction().execute((tx) => pinScoreRun(tx, academic.wave, academic.tracks.regular, t.clock.now()))
    const refused = [
      sql`UPDATE score_runs SET name = 'lain' WHERE id = ${id}`,
      sql`UPDATE score_runs SET pinned_at = NULL WHERE id = ${id}`,
      sql`DELETE FROM score_runs WHERE id = ${id}`,
      sql`UPDATE final_scores SET score = 100 WHERE score_run_id = ${id}`,
      sql`DELETE FROM final_scores WHERE score_run_id = ${id}`,
      sql`INSERT INTO final_scores SELECT ${id}, id, ${academic.test}, 1 FROM registrations
        WHERE id NOT IN (SELECT registration_id FROM final_scores WHERE score_run_id = ${id}) LIMIT 1`,
    ]
    await participant()
    for (const statement of refused) await expect(statement.execute(t.owner)).rejects.toThrow('pinned')
    expect(Object.keys(await finalsOf(id))).toHaveLength(2)
  })

  it('blocks a concurrent change of the scores, which is then refused', async () => {
    const one = await participant()
    await use.write([head, [one.code, 'A', 60, 10]])
    const id = await idOf()
    await adopt(id)
    const pin = sql`UPDATE score_runs SET pinned_at = ${t.clock.now()} WHERE id = ${id}`
    const [change] = await raceBehind(t, pin, 1, () =>
      Promise.allSettled([sql`UPDATE final_scores SET score = score + 1 WHERE score_run_id = ${id}`.execute(t.owner)]),
    )
    expect(change).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('pinned') } })
    expect((await finalsOf(id))[one.code]).toBe(60)
  })
})

it('20,000 scores of two methods take one statement and a few seconds', async () => {
  await manyParticipants(t, academic, session, 5_000)
  const { rows: tests } = await sql<{ id: string }>`INSERT INTO tests (code, name)
    SELECT 'BANYAK' || n, 'Tes ' || n FROM generate_series(1, 4) n RETURNING id`.execute(t.owner)
  await sql`INSERT INTO test_scores (registration_id, test_id, score, package)
    SELECT r.id, x.id, (row_number() OVER ()) % 101, chr((65 + row_number() OVER () % 4)::int)
    FROM registrations r, unnest(${tests.map(({ id }) => id)}::uuid[]) AS x (id) WHERE r.code LIKE 'M%'`.execute(
    t.owner,
  )
  const startMs = performance.now()
  const answer = await create(undefined, {
    methods: tests.map(({ id }, index) => ({
      testId: id,
      method: index % 2 ? { kind: 'standard' } : { kind: 'linear', reference: 'A', anchor: null },
    })),
  })
  const durationMs = performance.now() - startMs
  expect([answer.statusCode, answer.json().data.scores]).toEqual([201, 20_000])
  expect(durationMs).toBeLessThan(20_000)
}, 120_000)
