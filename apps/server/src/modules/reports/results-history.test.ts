import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReportLine } from '#domain/reports/endpoints.ts'
import { writeCell } from '#domain/reports/report.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** The report of results for a wave with several publications. */
let t: TestApp
let wave: ResultsWave
/** May not see unpublished decisions. */
let reader: TestActor
let decider: TestActor
/** In the order of their scores; the programme has two places. */
let people: Awaited<ReturnType<typeof aRegistration>>[]

beforeAll(async () => {
  t = await testApp()
  wave = await resultsWave(t)
  reader = await asWithPermissions(t, ['laporan-hasil-kelulusan', 'laporan-pendaftaran-prodi'])
  decider = await asWithPermissions(t, [
    'laporan-hasil-kelulusan',
    'laporan-pendaftaran-prodi',
    'pendaftaran-decide',
    'pendaftaran-view',
  ])
  // Sessions must outlast the days that the clock moves in these tests, also before their first request.
  await t.db.updateTable('roles').set({ sessionHours: 720 }).execute()
  await t.db
    .updateTable('sessions')
    .set({ expiresAt: new Date(t.clock.now().getTime() + 30 * dayMs) })
    .execute()
})
afterAll(() => t?.close())
beforeEach(async () => {
  people = await wave.start([90, 80, 70, 60])
  // Noon in Jakarta, so that the seconds of a test stay within one day.
  t.clock.set(new Date(`${today()}T05:00:00Z`))
  nextDay()
})

const dayMs = 86_400_000
const nextDay = () => t.clock.set(new Date(t.clock.now().getTime() + dayMs))
const today = () => t.clock.now().toISOString().slice(0, 10)

type Cells = Record<string, string | number | null>
async function rowsOf(actor: TestActor, figure = 'decided', query: Record<string, string> = {}) {
  const parameters = { figure, cell: writeCell({}), per_page: '100', waveId: wave.academic.wave, ...query }
  const answer = await actor.get(`/reports/hasil-kelulusan/rows?${new URLSearchParams(parameters)}`)
  expect(answer.statusCode, answer.body).toBe(200)
  const cells = answer.json().data.map((row: { cells: Cells }) => row.cells) as Cells[]
  return (index: number) => cells.find(({ code }) => code === people[index]!.code)
}
async function totalOf(actor: TestActor, query: Record<string, string> = {}) {
  const parameters = { compare: 'no', waveId: wave.academic.wave, ...query }
  const answer = await actor.get(`/reports/hasil-kelulusan/figures?${new URLSearchParams(parameters)}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return (answer.json().data as { total: ReportLine }).total.values
}
const stepOf = async (index: number, step: string, body: object) => {
  wave.goOn()
  const answer = await wave.staff.post(`/pendaftaran/${people[index]!.id}/${step}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
}
const revert = (index: number) => stepOf(index, 'revert-decision', { reason: 'Salah nilai' })

describe('the rank of a row', () => {
  it('comes from the run behind the visible decision: a reader sees the old rank until the publication', async () => {
    await wave.adopt()
    await wave.publish()
    // The second run ranks a newcomer and the two refused applicants, and accepts the best two of these three.
    await wave.setCapacity(4)
    const late = await aRegistration(t, { status: 'verified' })
    await wave.score(late.id, 95)
    people.push(late)
    await wave.adopt()
    const [hidden, open] = [await rowsOf(reader), await rowsOf(decider)]
    expect([0, 1, 2, 3].map((index) => hidden(index)?.rank)).toEqual([1, 2, 3, 4])
    expect(hidden(2)).toMatchObject({ result: 'Not accepted', rank: 3 })
    expect(hidden(4)).toBeUndefined()
    // The first two were still decided by the first run.
    expect([0, 1, 2, 4].map((index) => open(index)?.rank)).toEqual([1, 2, 2, 1])
    expect(open(2)).toMatchObject({ result: 'Accepted' })
    await wave.publish()
    const published = await rowsOf(reader)
    expect([0, 1, 2, 4].map((index) => published(index)?.rank)).toEqual([1, 2, 2, 1])
    expect(published(2)).toMatchObject({ result: 'Accepted' })
  })

  it("is that day's rank for a past day, and empty if staff decided by hand", async () => {
    await wave.adopt()
    await wave.publish()
    const before = today()
    nextDay()
    await wave.setCapacity(3)
    await revert(2)
    await stepOf(2, 'accept', { programmeId: wave.programmeId })
    expect((await rowsOf(decider))(2)).toMatchObject({ result: 'Accepted', rank: null })
    for (const actor of [reader, decider])
      expect((await rowsOf(actor, 'decided', { to: before }))(2)).toMatchObject({ result: 'Not accepted', rank: 3 })
  })
})

describe('the rank of an offered reserve place', () => {
  it('comes from the run of its reserve list', async () => {
    await wave.adopt(100)
    await wave.publish()
    await wave.setCapacity(3)
    const { id } = await t.db
      .selectFrom('reservePlaces')
      .select('id')
      .where('registrationId', '=', people[2]!.id)
      .executeTakeFirstOrThrow()
    wave.goOn()
    const offered = await wave.staff.post(`/seleksi/reserve/${id}/offer`, {})
    expect(offered.statusCode, offered.body).toBe(200)
    for (const actor of [reader, decider])
      expect((await rowsOf(actor))(2)).toMatchObject({ result: 'Accepted', rank: 3 })
  })
})

describe('a day between two publications', () => {
  it('shows a public acceptance that was reverted and decided again later', async () => {
    await wave.adopt()
    await wave.publish()
    const published = { day: today(), at: t.clock.now().toISOString() }
    nextDay()
    await revert(0)
    const reverted = today()
    nextDay()
    await wave.adopt()
    const adopted = today()
    nextDay()
    await wave.publish()
    for (const actor of [reader, decider]) {
      const days = [published.day, reverted, adopted, today()]
      const counted = await Promise.all(days.map((to) => totalOf(actor, { to })))
      expect(counted.map((total) => total.published)).toEqual([4, 3, 3, 4])
      expect(counted.map((total) => total.unanswered)).toEqual([2, 1, 1, 2])
      const accepted = counted.map((total) => total.accepted)
      expect(accepted).toEqual(actor === reader ? [2, 1, 1, 2] : [2, 1, 2, 2])
      const rows = await rowsOf(actor, 'published', { to: published.day })
      expect(rows(0)).toMatchObject({ result: 'Accepted', rank: 1, publishedAt: published.at })
      expect((await rowsOf(actor, 'published', { to: reverted }))(0)).toBeUndefined()
    }
    expect((await rowsOf(reader, 'decided', { to: published.day }))(0)).toMatchObject({ decidedAt: published.at })
  })

  it('shows no acceptance that was reverted before its publication', async () => {
    await wave.adopt()
    const adopted = today()
    nextDay()
    await revert(0)
    nextDay()
    await stepOf(0, 'accept', { programmeId: wave.programmeId })
    nextDay()
    await wave.publish()
    expect(await totalOf(reader, { to: adopted })).toMatchObject({ decided: 0, published: 0 })
    expect(await totalOf(decider, { to: adopted })).toMatchObject({ decided: 4, published: 0 })
    expect(await totalOf(reader)).toMatchObject({ decided: 4, published: 4 })
  })

  it('shows a public refusal until its replacement is public', async () => {
    await wave.adopt()
    await wave.publish()
    const published = today()
    nextDay()
    await wave.setCapacity(3)
    await wave.adopt()
    const hidden = today()
    nextDay()
    await wave.publish()
    const replaced = today()
    nextDay()
    await revert(2)
    const seen = async (actor: TestActor, to: string) => (await rowsOf(actor, 'decided', { to }))(2)?.result
    const days = [published, hidden, replaced, today()]
    expect(await Promise.all(days.map((to) => seen(reader, to)))).toEqual([
      'Not accepted',
      'Not accepted',
      'Accepted',
      undefined,
    ])
    expect(await Promise.all(days.map((to) => seen(decider, to)))).toEqual([
      'Not accepted',
      'Accepted',
      'Accepted',
      undefined,
    ])
    const counted = await Promise.all(days.map((to) => totalOf(reader, { to })))
    expect(counted.map((total) => total.published)).toEqual([4, 4, 4, 3])
  })

  it('counts a decision in the period of its publication', async () => {
    await wave.adopt()
    nextDay()
    await wave.publish()
    const published = today()
    nextDay()
    await revert(0)
    nextDay()
    await wave.adopt()
    nextDay()
    await wave.publish()
    expect(await totalOf(reader, { from: published, to: published })).toMatchObject({ decided: 4, published: 4 })
    expect(await totalOf(reader, { from: today(), to: today() })).toMatchObject({ decided: 1, published: 1 })
  })
})
