import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { aRegistration } from '#server-test/factories/admissions.ts'
import { letterKindOf } from '#server-test/factories/letters.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** Answers to applicants and to staff who do not decide, before and after decisions that are not published. */
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

const decide = async (id: string, step: string, body: object) => {
  wave.goOn()
  const answer = await wave.staff.post(`/pendaftaran/${id}/${step}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
}

describe('letters for many people', () => {
  it('go by stage and study programme as everyone sees them, also for deciders', async () => {
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
    // Letters are found in the letters of each applicant: a decider must not give them by hidden decisions.
    expect(await countsFor(wave.staff)).toEqual(hidden)
    await wave.publish()
    expect(await countsFor(clerk)).toEqual({ verified: 0, decided: 4, chosen: 3, other: 1 })
  })

  it('of acceptance are refused to a hidden acceptance as to a refusal', async () => {
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
