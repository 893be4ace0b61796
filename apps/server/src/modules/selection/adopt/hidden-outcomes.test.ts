import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { computeRun } from '#server/modules/selection/runs/compute-run.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { aRegistration } from '#server-test/factories/admissions.ts'
import { letterKindOf } from '#server-test/factories/letters.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { adopted, aRun } from '#server-test/factories/selection/selections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** What a second selection of a published wave must not reveal before its decisions are published. */
let t: TestApp
let wave: ResultsWave
/** May only read selections. */
let viewer: TestActor
/** May run selections but not decide. */
let operator: TestActor
/** In the order of their scores; the programme has two places. */
let people: Awaited<ReturnType<typeof aRegistration>>[]

beforeAll(async () => {
  t = await testApp()
  wave = await resultsWave(t)
  viewer = await asWithPermissions(t, ['seleksi-view'])
  operator = await asWithPermissions(t, ['seleksi-view', 'seleksi-update'])
})
afterAll(() => t?.close())
beforeEach(async () => {
  people = await wave.start([90, 80, 70, 60])
  await sql`UPDATE test_seats SET status = 'released', released_at = now() WHERE status <> 'released'`.execute(t.db)
})

const rowsOf = async (actor: TestActor, path: string) => {
  const answer = await actor.get(path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data as Record<string, unknown>[]
}
const runOf = async (actor: TestActor, id: string) => (await actor.get(`/seleksi/${id}`)).json().data

describe('users who may only read selections', () => {
  it('see places, moves and reserve candidates only once they are published', async () => {
    const first = await wave.adopt(100)
    const rowsOfViewer = async (id: string, otherId: string) => ({
      entries: (await rowsOf(viewer, `/seleksi/${id}/entries`)).length,
      moves: (await rowsOf(viewer, `/seleksi/${id}/moves/${otherId}`)).length,
      reserve: (await rowsOf(viewer, '/seleksi/reserve?status=waiting')).length,
      outcomeIsVisible: (await runOf(viewer, id)).outcomeIsVisible,
    })
    expect(await rowsOf(operator, `/seleksi/${first.id}/entries`)).toHaveLength(4)
    expect(await rowsOfViewer(first.id, first.id)).toMatchObject({ entries: 0, reserve: 0, outcomeIsVisible: false })
    await wave.publish()
    expect(await rowsOfViewer(first.id, first.id)).toMatchObject({ entries: 4, reserve: 2, outcomeIsVisible: true })
    await wave.setCapacity(3)
    const second = await wave.adopt(100)
    const hidden = { entries: 0, moves: 0, reserve: 0, outcomeIsVisible: false }
    expect(await rowsOfViewer(second.id, first.id)).toEqual(hidden)
    expect(await rowsOf(operator, `/seleksi/${second.id}/moves/${first.id}`)).toHaveLength(1)
    await wave.publish()
    expect(await rowsOfViewer(second.id, first.id)).toEqual({
      entries: 4,
      moves: 1,
      reserve: 1,
      outcomeIsVisible: true,
    })
  })

  it('see neither the outcome of a simulation per applicant nor for whom a place is held', async () => {
    const run = await aRun(t, wave.staff, wave.academic, { reservePercent: 0 })
    const { id } = people[3]!
    const hold = { registrationId: id, programmeId: wave.programmeId, kind: 'place', reason: 'Kerja sama' }
    expect((await wave.staff.post(`/seleksi/${run.id}/holds`, { version: run.version, ...hold })).statusCode).toBe(200)
    await computeRun(t.services, run.id)
    expect(await rowsOf(viewer, `/seleksi/${run.id}/entries`)).toEqual([])
    expect(await runOf(viewer, run.id)).toMatchObject({ holds: [], rules: { holds: [] }, counts: { placed: 2 } })
    expect((await runOf(operator, run.id)).holds).toHaveLength(1)
    wave.goOn()
    await adopted(t, wave.staff, run.id)
    await wave.publish()
    expect((await runOf(viewer, run.id)).holds).toHaveLength(1)
  })
})

describe('the timeline of a registration', () => {
  it('never shows readers a decision that was reverted before its publication', async () => {
    const reader = await asWithPermissions(t, ['pendaftaran-view'])
    // Audit entries have the database's time, so the publication must not be later than that.
    t.clock.set(new Date(Date.now() - 60_000))
    const { id } = people[2]!
    const decisionsFor = async (actor: TestActor) =>
      (await rowsOf(actor, `/pendaftaran/${id}/timeline`))
        .map(({ name }) => String(name))
        .filter((name) => /\.(accept|reject|revertDecision|publish)$/.test(name))
        .map((name) => name.replace('registration.', ''))
        .sort()
    const decide = async (step: string, body: object) => {
      wave.goOn()
      const answer = await wave.staff.post(`/pendaftaran/${id}/${step}`, body)
      expect(answer.statusCode, answer.body).toBe(200)
    }
    await wave.adopt(100)
    await wave.publish()
    // Of two unpublished acceptances, one is reverted before the publication.
    await wave.setCapacity(4)
    await wave.adopt()
    expect(await decisionsFor(reader)).toEqual([])
    await decide('revert-decision', { reason: 'Salah nilai' })
    expect((await wave.publish()).statusCode).toBe(200)
    await decide('accept', { programmeId: wave.programmeId })
    expect(await decisionsFor(reader)).toEqual(['accept', 'publish'])
    expect(await decisionsFor(wave.staff)).toEqual(['accept', 'accept', 'publish', 'revertDecision'])
  })
})

describe('before the publication of a later decision', () => {
  /** The second selection, not yet published, decides about the last applicant of the first. */
  async function decideLate() {
    await wave.adopt(100)
    await wave.publish()
    await wave.setCapacity(3)
    await wave.adopt(100)
  }

  it('letters neither count the applicant as decided nor refuse the invitation to the test', async () => {
    await decideLate()
    const late = people[2]!
    const session = await testSession(t.db, wave.academic, t.clock.now())
    await sql`INSERT INTO test_seats (test_session_id, registration_id, status, booked_at)
      VALUES (${session}, ${late.id}, 'booked', ${t.clock.now()})`.execute(t.db)
    const clerk = await asWithPermissions(t, ['surat-view', 'surat-create'])
    const invitation = { kindId: await letterKindOf(t, 'invitation'), language: 'id' }
    const preview = { language: 'id', waveId: wave.academic.wave, programmeId: null, trackId: null }
    const countIn = async (stage: string, kindId: string) =>
      (await clerk.post('/surat/massal/preview', { ...preview, kindId, stage })).json().data.people
    const registration = await letterKindOf(t, 'registration')
    expect([await countIn('decided', registration), await countIn('verified', registration)]).toEqual([2, 2])
    const answer = await clerk.post(`/pendaftaran/${late.id}/surat`, invitation)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    await wave.publish()
    expect([await countIn('decided', registration), await countIn('verified', registration)]).toEqual([3, 1])
    expect((await clerk.post(`/pendaftaran/${late.id}/surat`, invitation)).json().code).toBe('letter_test_over')
  })

  it("an account's export contains final scores of published selections only", async () => {
    await wave.adopt()
    await wave.publish()
    wave.goOn()
    const { id } = await t.db
      .insertInto('scoreRuns')
      .values({
        ...{ waveId: wave.academic.wave, name: 'Nilai akhir 2', methods: '{}', inputHash: 'input' },
        createdAt: t.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`INSERT INTO final_scores (score_run_id, registration_id, test_id, score)
      VALUES (${id}, ${people[0]!.id}, ${wave.academic.test}, 12)`.execute(t.db)
    await t.db.updateTable('scoreRuns').set({ pinnedAt: t.clock.now() }).where('id', '=', id).execute()
    const scores = async () => (await people[0]!.applicant.get('/account/export')).json().finalScores
    expect(await scores()).toEqual([])
    await wave.setCapacity(3)
    await wave.adopt()
    await wave.publish()
    expect(await scores()).toMatchObject([{ score: 12 }])
  })

  it('a canned reply names the step that the applicant sees', async () => {
    await decideLate()
    const { applicant, id } = people[2]!
    await applicant.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Halo' })
    const { id: conversation } = (await applicant.get('/chat/own')).json().data
    const words = { title: 'Langkah', team: null, bodyId: 'Langkah: {{step}}', bodyEn: 'Step: {{step}}', active: true }
    expect((await wave.staff.post('/chat/replies', words)).statusCode).toBeLessThan(300)
    const bodyFor = async () =>
      (await rowsOf(wave.staff, `/chat/conversations/${conversation}/replies`)).find(
        ({ title }) => title === words.title,
      )!.body
    const before = await bodyFor()
    const reverted = await wave.staff.post(`/pendaftaran/${id}/revert-decision`, { reason: 'Salah nilai' })
    expect(reverted.statusCode, reverted.body).toBe(200)
    expect(await bodyFor()).toBe(before)
  })
})
