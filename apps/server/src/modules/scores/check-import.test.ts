import { afterAll, beforeAll, expect, it } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { manyParticipants, scoreImports } from '#server-test/factories/selection/scores.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole } from '#testing/form.ts'

/** Checked in one turn of the event loop, a quarter of these rows would already exceed the test's limit. */
const rowsInFile = isWhole ? 20_000 : 5_000

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let codes: string[]
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, t.clock.now())
  staff = await asStaff(t)
  const session = await testSession(t.db, academic, t.clock.now(), { capacity: 50_000 })
  codes = await manyParticipants(t, academic, session, rowsInFile)
}, 120_000)
afterAll(() => t.close())

/** Longest CPU time in milliseconds that this thread spent between two turns of its event loop during `work`. */
async function longestTurnOf<T>(work: Promise<T>) {
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let longestMs = 0
  let before = spentMs()
  let isDone = false
  const look = () => {
    longestMs = Math.max(longestMs, spentMs() - before)
    before = spentMs()
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  const result = await work
  isDone = true
  return { result, longestMs }
}

it.each([
  ['right', (index: number) => index % 101, { scores: { new: rowsInFile }, problems: 0 }],
  ['wrong', () => 101, { scores: { new: 0 }, problems: rowsInFile }],
])(
  'the rows of a long file that are %s never keep other requests waiting for long',
  async (_, scoreAt, expected) => {
    const { upload } = scoreImports(t, staff, academic)
    const { id } = await upload([['Kode', 'TPA'], ...codes.map((code, index) => [code, scoreAt(index)])])
    const mapping = [
      { header: 'Kode', as: 'code' },
      { header: 'TPA', as: 'score', testId: academic.test },
    ]
    const { result, longestMs } = await longestTurnOf(
      staff.post(`/score-imports/${id}/check`, { mapping, profile: null }),
    )
    expect(result.json().data).toMatchObject(expected)
    expect(longestMs).toBeLessThan(200)
  },
  120_000,
)
