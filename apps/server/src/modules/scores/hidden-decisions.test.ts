import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ScoreImport, ScoreRow } from '#domain/scores/endpoints.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { aRegistration } from '#server-test/factories/admissions.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { scoreImports } from '#server-test/factories/selection/scores.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** What people who record scores and do not decide learn of decisions that are not published: nothing. */
let t: TestApp
let wave: ResultsWave
let clerk: TestActor
let session: string
let interview: string
/** In the order of their scores; the first study programme has two places, so the last two wait in reserve. */
let people: Awaited<ReturnType<typeof aRegistration>>[]

beforeAll(async () => {
  t = await testApp()
  wave = await resultsWave(t)
  clerk = await asWithPermissions(t, ['import-nilai-cbt-view', 'jadwal-test-view', 'jadwal-test-update'])
  const test = { code: 'WWC', name: 'Wawancara', maxScore: 100 } as const
  interview = (await t.db.insertInto('tests').values(test).returning('id').executeTakeFirstOrThrow()).id
})
afterAll(() => t?.close())
beforeEach(async () => {
  people = await wave.start([90, 80, 70, 60])
  await t.db.updateTable('testSeats').set({ status: 'released', releasedAt: t.clock.now() }).execute()
  session = await testSession(t.db, wave.academic, t.clock.now())
  await t.db.insertInto('testSessionTests').values({ testSessionId: session, testId: interview }).execute()
  const seat = { testSessionId: session, status: 'attended' as const }
  await t.db
    .insertInto('testSeats')
    .values(people.map(({ id }) => ({ ...seat, registrationId: id })))
    .execute()
})

const grid = async (actor: TestActor, testId = wave.academic.test) => {
  const { rows } = (await actor.get(`/score-entry?testSessionId=${session}&testId=${testId}`)).json().data
  const byId = new Map((rows as ScoreRow[]).map((row) => [row.registrationId, row]))
  return people.map(({ id }) => {
    const { decided, needsReason } = byId.get(id)!
    return { decided, needsReason }
  })
}
/** The answer to a new score of each person, without the person. */
const recordEach = (body: object) =>
  Promise.all(
    people.map(async ({ id }) => {
      const answer = await clerk.put(`/pendaftaran/${id}/score`, { testId: wave.academic.test, version: 1, ...body })
      const { data, ...refusal } = answer.json()
      return { status: answer.statusCode, refusal, version: data?.version, needsReason: data?.needsReason }
    }),
  )
const decideFirst = async () => {
  wave.goOn()
  const answer = await wave.staff.post(`/pendaftaran/${people[0]!.id}/accept`, { programmeId: wave.programmeId })
  expect(answer.statusCode, answer.body).toBe(200)
}
const allOf = <T>(value: T) => people.map(() => value)

describe('a score by hand', () => {
  it('is asked a reason for everybody of a track whose selection is not published, decided or in reserve', async () => {
    expect(await grid(clerk)).toEqual(allOf({ decided: false, needsReason: false }))
    await wave.adopt(100)
    expect(await grid(clerk)).toEqual(allOf({ decided: false, needsReason: true }))
    expect(await grid(clerk, interview)).toEqual(allOf({ decided: false, needsReason: true }))
    const [first, ...others] = await recordEach({ score: 55 })
    expect(first).toMatchObject({ status: 422, refusal: { errors: { reason: [expect.any(String)] } } })
    expect(others).toEqual(others.map(() => first))
    expect(await recordEach({ score: 55, reason: 'Salah ketik' })).toMatchObject(allOf({ status: 200, version: 2 }))
    await wave.publish()
    const decided = { decided: true, needsReason: true }
    const undecided = { decided: false, needsReason: false }
    expect(await grid(clerk)).toEqual([decided, decided, undecided, undecided])
  })

  it('is seen with its decision by deciders', async () => {
    await wave.adopt(100)
    const decided = { decided: true, needsReason: true }
    const undecided = { decided: false, needsReason: false }
    expect(await grid(wave.staff)).toEqual([decided, decided, undecided, undecided])
  })

  it('that replaces another is asked a reason after a single decision, a first score is not', async () => {
    await decideFirst()
    expect(await grid(clerk)).toEqual(allOf({ decided: false, needsReason: true }))
    expect(await grid(clerk, interview)).toEqual(allOf({ decided: false, needsReason: false }))
    expect((await recordEach({ score: 55 })).map(({ status }) => status)).toEqual(allOf(422))
    expect(await recordEach({ testId: interview, version: 0, score: 55 })).toMatchObject(
      allOf({ status: 200, needsReason: true }),
    )
  })
})

describe('a file of scores', () => {
  const use = () => scoreImports(t, clerk, wave.academic)
  /** One file for each person: nobody may send many at once. */
  async function checkEach(actor: TestActor, score: number) {
    const records: ScoreImport[] = []
    for (const { code } of people) {
      const file = [
        ['Kode', 'TPA'],
        [code, score],
      ]
      records.push(await scoreImports(t, actor, wave.academic).check(file))
    }
    return records
  }

  it('checked before a hidden adoption is answered the same for everybody when it is written', async () => {
    const checked = await checkEach(clerk, 55)
    expect(checked.map(({ scores }) => scores)).toEqual(allOf({ new: 0, changed: 1, unchanged: 0, decided: 0 }))
    await wave.adopt(100)
    const run = async (body: object) => {
      const answers = []
      for (const record of checked) answers.push(await use().run(record, body))
      return answers.map((answer) => ({ status: answer.statusCode, errors: answer.json().errors }))
    }
    const [first, ...others] = await run({})
    expect(first).toMatchObject({ status: 422, errors: { reason: [expect.any(String)] } })
    expect(others).toEqual(others.map(() => first))
    expect((await run({ reason: 'Kunci jawaban salah' })).map(({ status }) => status)).toEqual(allOf(200))
  })

  it('checked after a hidden decision counts the same for everybody, also when a decider checked it', async () => {
    await wave.adopt(100)
    const checked = await checkEach(clerk, 55)
    expect(checked.map(({ scores }) => scores.decided)).toEqual(allOf(1))
    const ofStaff = await checkEach(wave.staff, 56)
    expect(ofStaff.map(({ scores }) => scores.decided)).toEqual([1, 1, 0, 0])
    const seen = await Promise.all(ofStaff.map(({ id }) => clerk.get(`/score-imports/${id}`)))
    expect(seen.map((answer) => answer.json().data.scores.decided)).toEqual(allOf(1))
    const listed = (await clerk.get('/score-imports?per_page=50')).json().data as { id: string; scores: object }[]
    const scoresOf = new Map(listed.map(({ id, scores }) => [id, scores]))
    expect(ofStaff.map(({ id }) => scoresOf.get(id))).toEqual(allOf(scoresOf.get(ofStaff[0]!.id)))
  })
})

describe('the score sheet of a registration', () => {
  it('is closed for everybody of a track whose selection is not published, in the same words', async () => {
    const record = (score: number) =>
      Promise.all(
        people.map(async ({ id }, index) => {
          const scores = [{ testId: wave.academic.test, score: score - index }]
          const answer = await clerk.put(`/pendaftaran/${id}/test-scores`, { scores })
          return { status: answer.statusCode, code: answer.json().code, message: answer.json().message }
        }),
      )
    expect((await record(90)).map(({ status }) => status)).toEqual(allOf(200))
    await wave.adopt(100)
    const answers = await record(89)
    expect(answers).toEqual(allOf({ status: 409, code: 'scores_closed', message: expect.any(String) }))
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1)
    await wave.publish()
    expect((await record(88)).map(({ status }) => status)).toEqual([409, 409, 200, 200])
  })
})
