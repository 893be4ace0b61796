import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { aParticipant } from '#server-test/factories/selection/scores.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let session: string
let interview: string
let second: TestActor
let third: TestActor

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, t.clock.now())
  staff = await asStaff(t)
  ;[second, third] = [await asStaff(t), await asStaff(t)]
  const test = { code: 'WWC', name: 'Wawancara', kind: 'interview', maxScore: 100 } as const
  interview = (await t.db.insertInto('tests').values(test).returning('id').executeTakeFirstOrThrow()).id
})
afterAll(() => t.close())
beforeEach(async () => {
  session = await testSession(t.db, academic, t.clock.now())
  await t.db.insertInto('testSessionTests').values({ testSessionId: session, testId: interview }).execute()
})

const participant = (
  person: Omit<Parameters<typeof aParticipant>[2] & object, 'seat'> = {},
  status?: 'absent' | 'held',
) => aParticipant(t, academic, { ...person, seat: { session, ...(status && { status }) } })
const record = (id: string, body: object, actor = staff) =>
  actor.put(`/pendaftaran/${id}/score`, { testId: academic.test, version: 0, ...body })
const markBy = (actor: TestActor, id: string, version: number, ...marks: (number | null)[]) =>
  actor.put(`/pendaftaran/${id}/score`, { testId: interview, version, marks })
const grid = async (testId = academic.test, actor = staff) =>
  (await actor.get(`/score-entry?testSessionId=${session}&testId=${testId}`)).json().data

describe('the grid of a session and a test', () => {
  it('lists everybody with a seat by name, with scores and versions', async () => {
    const zulfa = await participant({ name: 'Zulfa' })
    await participant({ name: 'Agus' }, 'absent')
    await participant({ name: 'Draf yang menahan kursi', status: 'draft' }, 'held')
    await record(zulfa.id, { score: 77.5 })
    const { rows, test } = await grid()
    expect(test.maxScore).toBe(100)
    expect(rows).toMatchObject([
      { name: 'Agus', absent: true, score: null, version: 0 },
      { name: 'Zulfa', absent: false, score: 77.5, version: 1 },
    ])
  })

  it('shows a role limited to some programmes only their people, and accepts no scores for others', async () => {
    const [own, other] = [await participant({ programme: 0 }), await participant({ programme: 1 })]
    const limited = await asWithPermissions(t, ['import-nilai-cbt-view'], { programmeIds: [academic.programmes[0]] })
    const { rows } = await grid(academic.test, limited)
    expect(rows.map((row: { code: string }) => row.code)).toEqual([own.code])
    expect((await record(own.id, { score: 50 }, limited)).statusCode).toBe(200)
    expect((await record(other.id, { score: 50 }, limited)).statusCode).toBe(404)
    expect((await limited.get(`/pendaftaran/${other.id}/score-versions`)).statusCode).toBe(404)
  })
})

describe('one score', () => {
  it('sent twice is one version; after correction and removal, every value stays readable', async () => {
    const { id } = await participant()
    const answers = await Promise.all([1, 2, 3].map(() => record(id, { score: 60 })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await record(id, { score: 65, version: 1 })).json().data).toMatchObject({ score: 65, version: 2 })
    expect((await record(id, { score: null, version: 2 })).json().data).toMatchObject({ score: null })
    const versions = (await staff.get(`/pendaftaran/${id}/score-versions`)).json().data
    expect(versions.map((one: { version: number; score: number | null }) => [one.version, one.score])).toEqual(
      expect.arrayContaining([
        [1, 60],
        [2, 65],
        [3, null],
      ]),
    )
    expect((await record(id, { score: 70, version: 0 })).json().data).toMatchObject({ score: 70, version: 4 })
  })

  it('changed by two people at once keeps the first, and the second gets a refusal', async () => {
    const { id } = await participant()
    const answers = await Promise.all([61, 62].map((score) => record(id, { score })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('stale_version')
  })

  it('is refused above the highest score, for an absent person, a test of another session or a draft', async () => {
    const [one, absent] = [await participant(), await participant({}, 'absent')]
    expect((await record(one.id, { score: 100.01 })).json().errors).toEqual({ score: [expect.stringContaining('100')] })
    expect(codeOf(await record(absent.id, { score: 10 }))).toEqual([409, 'score_of_absent'])
    const { id: foreign } = await t.db
      .insertInto('tests')
      .values({ code: `T${session.slice(0, 6)}`, name: 'Tes lain' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await record(one.id, { testId: foreign, score: 10 })).statusCode).toBe(422)
    const draft = await participant({ status: 'draft' }, 'held')
    expect(codeOf(await record(draft.id, { score: 10 }))).toEqual([409, 'wrong_status'])
  })

  it('of a decided result needs a reason, which is stored in the audit log', async () => {
    const { id } = await participant({ status: 'decided' })
    expect((await record(id, { score: 10 })).json().errors).toHaveProperty('reason')
    expect((await record(id, { score: 10, reason: 'Salah ketik' })).statusCode).toBe(200)
    const { reason } = await t.db
      .selectFrom('auditLog')
      .select('reason')
      .where('subjectId', '=', id)
      .where('action', '=', 'test-score.record')
      .executeTakeFirstOrThrow()
    expect(reason).toBe('Salah ketik')
  })

  it('cannot be overwritten without trace: the database keeps its versions, which nobody can change', async () => {
    const { id } = await participant()
    await t.owner.insertInto('testScores').values({ registrationId: id, testId: academic.test, score: 1 }).execute()
    await t.owner.updateTable('testScores').set({ score: 2 }).where('registrationId', '=', id).execute()
    await t.owner.updateTable('testScores').set({ score: 2 }).where('registrationId', '=', id).execute()
    await t.owner.deleteFrom('testScores').where('registrationId', '=', id).execute()
    const versions = await t.db
      .selectFrom('testScoreVersions')
      .select(['version', 'score'])
      .where('registrationId', '=', id)
      .orderBy('version')
      .execute()
    expect(versions).toEqual([
      { version: 1, score: 1 },
      { version: 2, score: 2 },
      { version: 3, score: null },
    ])
    await expect(t.db.updateTable('testScoreVersions').set({ score: 100 }).execute()).rejects.toThrow('denied')
    await expect(t.db.deleteFrom('testScoreVersions').execute()).rejects.toThrow('denied')
  })
})

describe('two assessors', () => {
  it('give the mean; with one missing there is no score', async () => {
    const { id } = await participant()
    expect((await markBy(staff, id, 0, 80, null, null)).json().data).toMatchObject({
      score: null,
      marks: [80, null, null],
    })
    expect((await markBy(second, id, 1, 80, 71, null)).json().data).toMatchObject({ score: 75.5, version: 2 })
    const { rows, limitPercent } = await grid(interview)
    expect([limitPercent, rows[0].marks]).toEqual([20, [80, 71, null]])
  })

  it('differing by more than the setting need a third, whose mark counts', async () => {
    const { id } = await participant()
    await markBy(staff, id, 0, 90, null, null)
    expect((await markBy(second, id, 1, 90, 60, null)).json().data.score).toBeNull()
    expect((await markBy(third, id, 2, 90, 60, 72)).json().data).toMatchObject({ score: 72, marks: [90, 60, 72] })
    const { data } = (await staff.get('/settings/general')).json()
    await staff.put('/settings/general/scores', { assessorDifference: 30, version: data.versions.scores })
    const next = await participant()
    await markBy(staff, next.id, 0, 90, null, null)
    expect((await markBy(second, next.id, 1, 90, 60, null)).json().data.score).toBe(75)
  })

  it('must be two accounts: one account gives one mark, and the database refuses two', async () => {
    const { id } = await participant()
    const both = await markBy(staff, id, 0, 80, 71, null)
    expect([both.statusCode, both.json().code]).toEqual([409, 'assessors_same'])
    expect(both.json().message).toMatch(/Other people/)
    await markBy(staff, id, 0, 80, null, null)
    expect((await markBy(staff, id, 1, 80, 71, null)).json().code).toBe('assessors_same')
    const names = (await markBy(second, id, 1, 80, 71, null)).json().data.assessors
    expect(names).toEqual([expect.any(String), expect.any(String), null])
    // The assessor may correct a mark; another account may take it over if it gave no other mark.
    expect((await markBy(staff, id, 2, 82, 71, null)).json().data.score).toBe(76.5)
    expect((await markBy(staff, id, 3, 82, 75, null)).json().code).toBe('assessors_same')
    expect((await markBy(third, id, 3, 82, 75, null)).statusCode).toBe(200)
    const markedBy = JSON.stringify({ assessor1: staff.accountId, assessor2: staff.accountId })
    await expect(
      t.db.updateTable('testScores').set({ markedBy }).where('registrationId', '=', id).execute(),
    ).rejects.toThrow('test_scores_assessors_differ')
  })

  it('mark only interviews and portfolios', async () => {
    const { id } = await participant()
    const answer = await staff.put(`/pendaftaran/${id}/score`, {
      testId: academic.test,
      version: 0,
      marks: [1, 2, null],
    })
    expect(answer.statusCode).toBe(422)
  })
})
