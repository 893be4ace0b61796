import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SelectionTies } from '#domain/selection/rules.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import { aRun, candidatesOf, type ShownRun, verified } from '#server-test/factories/selection/selections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { runs } from '#testing/form.ts'
import { fc } from '#testing/properties.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicOf(t)
  staff = await asStaff(t)
})
afterAll(() => t.close())

const clear = async () => {
  await sql`DELETE FROM selection_runs`.execute(t.owner)
  await sql`DELETE FROM track_quotas`.execute(t.owner)
  await sql`DELETE FROM test_scores`.execute(t.owner)
  await sql`DELETE FROM registration_choices`.execute(t.owner)
  await sql`UPDATE registrations SET status = 'cancelled', closed_from = 'verified', closed_at = now()`.execute(t.owner)
}
const places = (programme: 0 | 1, capacity: number, passingGrade: number | null = null) =>
  t.db
    .updateTable('programmeDetails')
    .set({ capacity, overOffer: 0, passingGrade })
    .where('programmeId', '=', academic.programmes[programme])
    .returning('id')
    .executeTakeFirstOrThrow()
const faultsOf = ({ checks }: ShownRun) => checks!.filter(({ faults }) => faults > 0).map(({ rule }) => rule)

describe('a planted error', () => {
  let run: ShownRun
  let ids: string[]
  beforeEach(async () => {
    await clear()
    await places(0, 2, 60)
    await places(1, 1)
    const [a, b] = academic.programmes
    ids = await candidatesOf(t, academic, [
      { choices: [a, b], score: 90 },
      { choices: [a], score: 80 },
      { choices: [a], score: 70 },
      { choices: [a, b], score: 65 },
      { choices: [a], score: 40 },
      { choices: [a], score: null },
      { choices: [b], score: 50 },
    ])
    run = await aRun(t, staff, academic)
  })

  /** Changes the first choice of applicant `index`. */
  const plant = (index: number, change: string) =>
    sql`UPDATE selection_entries SET ${sql.raw(change)}
      WHERE selection_run_id = ${run.id} AND registration_id = ${ids[index]} AND position = 1`.execute(t.db)

  it('is absent from a computed run: the verifier passes it and the database stores the hash', async () => {
    const present = await verified(staff, run.id)
    expect(faultsOf(present)).toEqual([])
    expect(present.verifiedAt).not.toBeNull()
  })

  it.each([
    [
      'everybody',
      'an applicant is missing',
      () => sql`DELETE FROM selection_entries WHERE registration_id = ${ids[2]}`.execute(t.db),
    ],
    ['everybody', 'a choice is in the quota of another programme', () => plant(2, 'quota_number = 1 - quota_number')],
    ['scores', 'a score is not the one of the register', () => plant(0, `scores = '{91}', total = 91`)],
    ['total', 'a total is not what the scores come to', () => plant(0, 'total = 95')],
    ['lot', 'a lot is not the drawn one', () => plant(0, 'lot = lot + 1')],
    [
      'rank',
      'two ranks are exchanged',
      async () => {
        await plant(0, 'rank = 2')
        await plant(1, 'rank = 1')
      },
    ],
    ['minimum', 'a place goes below the passing grade', () => plant(4, `outcome = 'placed', rank = 5`)],
    ['minimum', 'somebody without a score competes', () => plant(5, `outcome = 'full', rank = 6`)],
    [
      'minimum',
      'somebody who meets every minimum is left out',
      () => plant(2, `outcome = 'below_minimum', rank = NULL, reserve_rank = NULL`),
    ],
    [
      'minimum',
      'somebody is taken out without a hold',
      () => plant(2, `outcome = 'excluded', rank = NULL, reserve_rank = NULL`),
    ],
    [
      'minimum',
      'somebody is blocked who owes nothing',
      () => plant(2, `outcome = 'blocked', rank = NULL, reserve_rank = NULL`),
    ],
    ['quota', 'one more is placed than there are places', () => plant(2, `outcome = 'placed', reserve_rank = NULL`)],
    ['no_empty_place', 'a place is empty while somebody waits', () => plant(1, `outcome = 'full'`)],
    [
      'no_envy',
      'a place goes to the worse of two',
      async () => {
        await plant(1, `outcome = 'full'`)
        await plant(2, `outcome = 'placed', reserve_rank = NULL`)
      },
    ],
    [
      'no_envy',
      'an earlier choice is said to be reached',
      () => plant(6, `outcome = 'earlier_choice', reserve_rank = NULL`),
    ],
    ['reserve', 'the reserve skips somebody', () => plant(2, `outcome = 'full', reserve_rank = NULL`)],
    ['reserve', 'the turn in reserve is another', () => plant(2, 'reserve_rank = 7')],
  ] as const)('against "%s" is refused: %s', async (rule, _, breakIt) => {
    await verified(staff, run.id)
    await breakIt()
    // Changing a row removes the verification at once.
    const { verifiedAt } = await t.db
      .selectFrom('selectionRuns')
      .select('verifiedAt')
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow()
    expect(verifiedAt).toBeNull()
    const present = await verified(staff, run.id)
    expect(faultsOf(present)).toContain(rule)
    expect(present.verifiedAt).toBeNull()
    const refused = await staff.post(`/seleksi/${run.id}/adopt`, { version: present.version })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'selection_not_verified'])
  })

  it('with two places for one applicant is refused by the database itself', async () => {
    const second = sql`UPDATE selection_entries SET outcome = 'placed'
      WHERE selection_run_id = ${run.id} AND registration_id = ${ids[0]}`.execute(t.db)
    await expect(second).rejects.toThrow('selection_entries_one_place')
  })

  it('written past the triggers cannot be adopted, because the database compares the hash', async () => {
    await verified(staff, run.id)
    await sql`ALTER TABLE selection_entries DISABLE TRIGGER USER`.execute(t.owner)
    await plant(2, `outcome = 'full', reserve_rank = NULL`)
    await sql`ALTER TABLE selection_entries ENABLE TRIGGER USER`.execute(t.owner)
    const adopting = (status: string) =>
      sql`UPDATE selection_runs SET status = ${status}, adopted_at = now() WHERE id = ${run.id}`.execute(t.db)
    await expect(adopting('adopted')).rejects.toThrow('not the one that was verified')
    await sql`UPDATE selection_runs SET verified_at = NULL, verified_hash = NULL WHERE id = ${run.id}`.execute(t.db)
    await expect(adopting('adopting')).rejects.toThrow('selection_runs_adopt_verified')
  })
})

describe('a planted error between tracks', () => {
  it('is found if a track takes places that another track still needs', async () => {
    await clear()
    const detail = await places(0, 3)
    const { regular, achievement } = academic.tracks
    await t.db
      .insertInto('trackQuotas')
      .values([
        { programmeDetailId: detail.id, trackId: regular, places: 2, spillTurn: null },
        { programmeDetailId: detail.id, trackId: achievement, places: 1, spillTurn: 1 },
      ])
      .execute()
    const choices = [academic.programmes[0]]
    const ids = await candidatesOf(t, academic, [
      { choices, score: 90 },
      { choices, score: 80 },
      { choices, score: 70 },
      { choices, score: null, trackId: achievement },
      { choices, score: null, trackId: achievement },
    ])
    const run = await aRun(t, staff, academic, {
      tracks: [regular, achievement].map((trackId) => ({ trackId, ties: 'lot' as const })),
      criteria: [
        { trackId: regular, programmeId: null, tests: [{ testId: academic.test, weight: 1, passMark: null }] },
        { trackId: achievement, programmeId: null, tests: [] },
      ],
    })
    expect(faultsOf(await verified(staff, run.id))).toEqual([])
    await sql`UPDATE selection_entries SET outcome = 'full'
      WHERE selection_run_id = ${run.id} AND registration_id = ${ids[1]}`.execute(t.db)
    await sql`UPDATE selection_entries SET outcome = 'placed', reserve_rank = NULL
      WHERE selection_run_id = ${run.id} AND outcome = 'reserve' AND registration_id = ANY(${ids.slice(3)}::uuid[])`.execute(
      t.db,
    )
    expect(faultsOf(await verified(staff, run.id))).toEqual(expect.arrayContaining(['no_empty_place']))
  })
})

const tieRule = fc.constantFrom<SelectionTies>('all', 'none', 'next', 'lot')
const waves = fc.record({
  capacities: fc.tuple(fc.nat(6), fc.nat(6)),
  divided: fc.option(
    fc.record({
      regular: fc.nat(4),
      achievement: fc.nat(3),
      turns: fc.constantFrom([1, 2], [2, 1], [null, 1], [null, null]),
    }),
  ),
  method: fc.constantFrom('deferred_acceptance' as const, 'first_choices_first' as const),
  ties: fc.tuple(tieRule, tieRule, tieRule),
  overOffer: fc.nat(2),
  people: fc.array(
    fc.record({
      choices: fc.constantFrom([0], [1], [0, 1], [1, 0]),
      score: fc.option(fc.integer({ min: 6, max: 10 })),
      achievement: fc.boolean(),
    }),
    { minLength: 4, maxLength: 24 },
  ),
  reservePercent: fc.constantFrom(0, 50, 200),
})

describe('any wave', () => {
  it('passes the verifier with the places the engine gave', async () => {
    await fc.assert(
      fc.asyncProperty(waves, async ({ capacities, divided, method, ties, overOffer, people, reservePercent }) => {
        await clear()
        const { regular, achievement } = academic.tracks
        const detail = await places(0, capacities[0] + (divided ? divided.regular + divided.achievement : 0), 70)
        await places(1, capacities[1])
        await t.db.updateTable('programmeDetails').set({ overOffer }).where('id', '=', detail.id).execute()
        if (divided)
          await t.db
            .insertInto('trackQuotas')
            .values([
              { programmeDetailId: detail.id, trackId: regular, places: divided.regular, spillTurn: divided.turns[0]! },
              {
                programmeDetailId: detail.id,
                trackId: achievement,
                places: divided.achievement,
                spillTurn: divided.turns[1]!,
              },
            ])
            .execute()
        await candidatesOf(
          t,
          academic,
          people.map((person) => ({
            choices: person.choices.map((index) => academic.programmes[index]!),
            score: person.score && person.score * 10,
            trackId: person.achievement ? achievement : regular,
          })),
        )
        const tests = [{ testId: academic.test, weight: 1, passMark: null }]
        const run = await aRun(t, staff, academic, {
          method,
          reservePercent,
          ties: ties[0],
          tracks: [
            { trackId: regular, ties: ties[1] },
            { trackId: achievement, ties: ties[2] },
          ],
          criteria: [regular, achievement].map((trackId) => ({ trackId, programmeId: null, tests })),
        })
        expect(run.status).toBe('computed')
        const present = await verified(staff, run.id)
        expect(present.checks!.filter(({ faults }) => faults > 0)).toEqual([])
      }),
      { numRuns: runs(8) },
    )
  }, 180_000)
})
