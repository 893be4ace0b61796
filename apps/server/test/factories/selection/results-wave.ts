import type { Publication } from '#domain/admissions/schemas.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { adopted, aRun, emptyWave } from './selections.ts'

export type ResultsWave = Awaited<ReturnType<typeof resultsWave>>

/** A wave whose first study programme has two places, with tools to select, adopt and publish second by second. */
export async function resultsWave(t: TestApp) {
  const academic: AcademicFixture = await academicOf(t)
  const staff: TestActor = await asStaff(t)
  const programmeId = academic.programmes[0]
  const intake = { waveId: academic.wave, trackId: academic.tracks.regular }

  const goOn = () => t.clock.set(new Date(t.clock.now().getTime() + 1000))
  const setCapacity = (capacity: number) =>
    t.db
      .updateTable('programmeDetails')
      .set({ capacity, overOffer: 0 })
      .where('programmeId', '=', programmeId)
      .execute()
  const score = (registrationId: string, points: number) =>
    t.db.insertInto('testScores').values({ registrationId, testId: academic.test, score: points }).execute()

  /** Verified applicants with these scores, in order, in an empty wave. */
  async function start(scores: readonly number[]) {
    t.clock.set(new Date())
    await emptyWave(t)
    await setCapacity(2)
    const people: Awaited<ReturnType<typeof aRegistration>>[] = []
    for (const points of scores) {
      const person = await aRegistration(t, { status: 'verified' })
      await score(person.id, points)
      people.push(person)
    }
    return people
  }

  /** Computes, verifies and adopts a selection of the wave as it is. */
  async function adopt(reservePercent = 0) {
    goOn()
    const run = await adopted(t, staff, (await aRun(t, staff, academic, { reservePercent })).id)
    if (run.status !== 'adopted') throw new Error(run.failure ?? run.status)
    return run
  }

  const publicationRow = async () =>
    ((await staff.get(`/publications?waveId=${intake.waveId}`)).json().data as Publication[]).find(
      ({ trackId }) => trackId === intake.trackId,
    )!

  async function publish(body: object = {}) {
    goOn()
    const { version } = await publicationRow()
    const publishAt = t.clock.now().toISOString()
    const answer = await staff.put('/publications', { ...intake, publishAt, version, ...body })
    await t.runJobs()
    return answer
  }

  return { academic, staff, programmeId, goOn, setCapacity, score, start, adopt, publicationRow, publish }
}
