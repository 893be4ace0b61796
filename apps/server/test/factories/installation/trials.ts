import { expect } from 'vitest'
import type { TrialView } from '#domain/trial/endpoints.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'

export const trialPath = '/settings/opening/trial'

export const aTrialOf = (academic: AcademicFixture, track: 'regular' | 'achievement' = 'regular') => ({
  waveId: academic.wave,
  trackId: academic.tracks[track],
  entryLevelId: academic.entryLevel,
  classProgrammeId: academic.classProgramme,
  programmeId: academic.programmes[0],
})

export async function startTrial(admin: TestActor, place: object): Promise<TrialView> {
  const answer = await admin.post(trialPath, place)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

export const nextOf = ({ steps }: TrialView) => steps.find(({ state }) => state === 'next')?.step

/** Takes steps until one is refused, `until` is next, or none is left. */
export async function walk(admin: TestActor, view: TrialView, until?: string) {
  let current = view
  for (let next = nextOf(current); next && next !== until; next = nextOf(current)) {
    const answer = await admin.post(`${trialPath}/steps`, { step: next })
    expect(answer.statusCode, answer.body).toBe(200)
    const { data, meta } = answer.json()
    current = data
    if (meta.refusal) return { view: current, refusal: meta.refusal as { message: string; sentences: string[] } }
    expect(nextOf(current), next).not.toBe(next)
  }
  return { view: current, refusal: null }
}
