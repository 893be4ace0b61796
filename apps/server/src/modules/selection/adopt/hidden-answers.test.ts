import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { aRegistration } from '#server-test/factories/admissions.ts'
import { letterKindOf } from '#server-test/factories/letters.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Responses to applicants, and to staff who do not decide, must not change through unpublished decisions. */
let t: TestApp
let wave: ResultsWave
/** In the order of their scores; the first study programme has two places. */
let people: Awaited<ReturnType<typeof aRegistration>>[]

beforeAll(async () => {
  t = await testApp()
  wave = await resultsWave(t)
})
afterAll(() => t?.close())
beforeEach(async () => {
  people = await wave.start([90, 80, 70, 60])
})

const dataOf = async (actor: TestActor, path: string) => {
  const answer = await actor.get(path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const decide = async (id: string, step: string, body: object) => {
  wave.goOn()
  const answer = await wave.staff.post(`/pendaftaran/${id}/${step}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Accepts the first two and refuses the others publicly, then accepts the third in a selection not yet published. */
async function publishAndAdopt() {
  await wave.adopt()
  await wave.publish()
  await wave.setCapacity(3)
  await wave.adopt()
}

describe('batch letters', () => {
  it('are filtered by published stage and study programme, even for users who decide', async () => {
    const clerk = await asWithPermissions(t, ['surat-view', 'surat-create'])
    const kindId = await letterKindOf(t, 'registration')
    const [chosen, other] = wave.academic.programmes
    const preview = { kindId, language: 'id', waveId: wave.academic.wave, trackId: null }
    const countsFor = async (actor: TestActor) => {
      const count = async (filter: object) =>
        (await actor.post('/surat/massal/preview', { ...preview, programmeId: null, stage: null, ...filter })).json()
          .data.people
      return {
        verified: await count({ stage: 'verified' }),
        decided: await count({ stage: 'decided' }),
        chosen: await count({ programmeId: chosen }),
        other: await count({ programmeId: other, stage: 'decided' }),
      }
    }
    const hidden = { verified: 4, decided: 0, chosen: 4, other: 0 }
    expect(await countsFor(clerk)).toEqual(hidden)
    await decide(people[0]!.id, 'accept', { programmeId: other, consent: true })
    await wave.adopt()
    expect(await countsFor(clerk)).toEqual(hidden)
    // Applicants see their letters, so a user who decides must not select them by unpublished decisions.
    expect(await countsFor(wave.staff)).toEqual(hidden)
    await wave.publish()
    expect(await countsFor(clerk)).toEqual({ verified: 0, decided: 4, chosen: 3, other: 1 })
  })

  it('of acceptance are refused with the same error for an unpublished acceptance and for a refusal', async () => {
    const clerk = await asWithPermissions(t, ['surat-view', 'surat-create'])
    const letter = { kindId: await letterKindOf(t, 'acceptance'), language: 'id' }
    const refusals = () =>
      Promise.all([2, 3].map(async (n) => codeOf(await clerk.post(`/pendaftaran/${people[n]!.id}/surat`, letter))))
    await wave.adopt()
    await wave.publish()
    const before = await refusals()
    await wave.setCapacity(3)
    await wave.adopt()
    expect(await refusals()).toEqual(before)
  })
})

describe('a change of study programme', () => {
  const target = () => ({
    programmeId: wave.academic.programmes[1],
    classProgrammeId: wave.academic.classProgramme,
  })

  /** Removes the numbers of places, which reveal how many were accepted, and the preview's hash. */
  const withoutCounts = (data: unknown) =>
    JSON.parse(
      JSON.stringify(data, (key, value) =>
        ['capacity', 'taken', 'placesLeft', 'seen'].includes(key) ? undefined : value,
      ),
    )

  /** Everything the applicant and a clerk can read about a change. */
  async function readingsOf(n: number, clerk: TestActor) {
    const { id, applicant } = people[n]!
    const readings = [
      await dataOf(applicant, `/pendaftaran/${id}/programme-request`),
      await dataOf(clerk, `/pendaftaran/${id}/programme-request`),
      await dataOf(clerk, `/pendaftaran/${id}/programme-change`),
    ]
    for (const [actor, path] of [
      [applicant, 'programme-request'],
      [clerk, 'programme-change'],
    ] as const) {
      const answer = await actor.post(`/pendaftaran/${id}/${path}/preview`, target())
      expect(answer.statusCode, answer.body).toBe(200)
      readings.push(answer.json().data)
    }
    return withoutCounts(readings)
  }

  it('looks the same before and after an unpublished decision', async () => {
    const clerk = await asWithPermissions(t, ['pindah-prodi-view', 'pindah-prodi-update', 'pendaftaran-view'])
    const before = await readingsOf(0, clerk)
    await decide(people[0]!.id, 'accept', { programmeId: wave.programmeId })
    expect(await readingsOf(0, clerk)).toEqual(before)
    await wave.adopt()
    await wave.publish()
    const refused = await readingsOf(2, clerk)
    expect(JSON.stringify(refused)).toContain('change_not_accepted')
    await wave.setCapacity(4)
    await wave.adopt()
    expect(await readingsOf(2, clerk)).toEqual(refused)
  })

  it('is refused without revealing an unpublished decision, except to users who decide', async () => {
    const clerk = await asWithPermissions(t, ['pindah-prodi-view', 'pindah-prodi-update', 'pendaftaran-view'])
    const { id, applicant } = people[0]!
    await decide(id, 'accept', { programmeId: wave.programmeId })
    const change = async (actor: TestActor) => {
      const path = `/pendaftaran/${id}/programme-change`
      const { seen } = (await actor.post(`${path}/preview`, target())).json().data
      return actor.post(path, { ...target(), reason: 'Salah pilih', seen })
    }
    expect(codeOf(await change(clerk))).toEqual([409, 'change_not_now'])
    const ofDecider = await change(wave.staff)
    expect(ofDecider.statusCode).toBe(422)
    expect((await dataOf(wave.staff, `/pendaftaran/${id}/programme-change`)).problems).toMatchObject([
      { code: 'change_unpublished' },
    ])
    const asking = (await applicant.post(`/pendaftaran/${id}/programme-request/preview`, target())).json().data
    await t.db.insertInto('settings').values({ key: 'programmeChangeRequests', value: 'true' }).execute()
    const answer = await applicant.post(`/pendaftaran/${id}/programme-request`, {
      ...target(),
      reason: 'Salah pilih',
      seen: asking.seen,
    })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    await applicant.post(`/pindah-prodi/requests/${answer.json().data.id}/withdraw`, {})
  })
})

describe('the export of an account', () => {
  it('is the same before and after an unpublished decision', async () => {
    const { id, applicant } = people[2]!
    const exported = async () => {
      const {
        exportedAt: _,
        sessions: _sessions,
        history: _history,
        ...data
      } = (await applicant.get('/account/export')).json()
      return data
    }
    const { id: run } = await t.db
      .insertInto('scoreRuns')
      .values({
        ...{ waveId: wave.academic.wave, name: 'Nilai akhir', methods: '{}', inputHash: 'input' },
        createdAt: t.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`INSERT INTO final_scores (score_run_id, registration_id, test_id, score)
      VALUES (${run}, ${id}, ${wave.academic.test}, 71)`.execute(t.db)
    await t.db.updateTable('scoreRuns').set({ pinnedAt: t.clock.now() }).where('id', '=', run).execute()
    await wave.adopt()
    await wave.publish()
    await applicant.post(`/pendaftaran/${id}/result-seen`, {})
    const before = await exported()
    expect(before).toMatchObject({
      registrations: [{ decision: 'not_accepted', result_told_at: expect.any(String) }],
      testScores: [{ score: 70 }],
      finalScores: [{ score: 71 }],
    })
    await wave.setCapacity(3)
    await wave.adopt()
    expect(await exported()).toEqual(before)
    await wave.publish()
    expect((await exported()).registrations).toMatchObject([{ decision: 'accepted' }])
  })
})

describe('an offered reserve place', () => {
  it("stays in the account's export after an unpublished decision", async () => {
    const { id, applicant } = people[2]!
    await wave.adopt(100)
    await wave.publish()
    const now = t.clock.now()
    await t.db
      .updateTable('reservePlaces')
      .set({ status: 'closed', offeredAt: now, dueAt: now, endedAt: now, endedReason: 'Lewat batas' })
      .where('registrationId', '=', id)
      .execute()
    const reservePlaces = async () => (await applicant.get('/account/export')).json().reservePlaces
    const before = await reservePlaces()
    expect(before).toHaveLength(1)
    await wave.setCapacity(3)
    await wave.adopt(100)
    expect(await reservePlaces()).toEqual(before)
  })
})

describe('a published refusal replaced by an unpublished acceptance', () => {
  it('is recorded as seen, and so is the acceptance once it is published', async () => {
    const { id, applicant } = people[2]!
    const see = async () => {
      wave.goOn()
      return (await applicant.post(`/pendaftaran/${id}/result-seen`, {})).json().data.seen
    }
    await publishAndAdopt()
    expect([await see(), await see()]).toEqual([true, false])
    await wave.publish()
    const seenAt = async () =>
      (await dataOf(wave.staff, '/konfirmasi-kelulusan')).find((row: { id: string }) => row.id === id).seenAt
    expect(await seenAt()).toBeNull()
    expect([await see(), await see()]).toEqual([true, false])
    expect(await seenAt()).not.toBeNull()
  })
})
