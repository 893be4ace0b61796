import type { Answer } from '#domain/endpoint.ts'
import type { readSelectionDefaults } from '#domain/selection/endpoints.ts'
import type { ChosenRules, Criteria, SelectionTies } from '#domain/selection/rules.ts'

export type Defaults = Answer<typeof readSelectionDefaults>['data']

/** Initial rules: all tracks with verified applicants, with the tests of their sessions; all tracks if none has any. */
export function startingRules({ tracks }: Defaults): ChosenRules {
  const waiting = tracks.filter(({ verified }) => verified > 0)
  const taking = waiting.length > 0 ? waiting : tracks
  return {
    method: 'deferred_acceptance',
    ties: 'next',
    reservePercent: 20,
    tracks: taking.map(({ trackId }) => ({ trackId, ties: 'next' })),
    criteria: taking.map((track) => criteriaOf(track, null)),
  }
}

const criteriaOf = ({ trackId, tests }: Defaults['tracks'][number], programmeId: string | null): Criteria => ({
  trackId,
  programmeId,
  tests: tests.map(({ testId, weight, passMark }) => ({ testId, weight, passMark })),
})

/** Adds a track, or removes it with its criteria. */
export function withTrack(rules: ChosenRules, track: Defaults['tracks'][number], takesPart: boolean): ChosenRules {
  const { trackId } = track
  const tracks = rules.tracks.filter((one) => one.trackId !== trackId)
  const criteria = rules.criteria.filter((one) => one.trackId !== trackId)
  if (!takesPart) return { ...rules, tracks, criteria }
  return {
    ...rules,
    tracks: [...tracks, { trackId, ties: 'next' }],
    criteria: [...criteria, criteriaOf(track, null)],
  }
}

export const withTies = (rules: ChosenRules, trackId: string, ties: SelectionTies): ChosenRules => ({
  ...rules,
  tracks: rules.tracks.map((one) => (one.trackId === trackId ? { ...one, ties } : one)),
})

/** Adds criteria for a programme, copied from its track, or removes them. */
export function withProgramme(rules: ChosenRules, trackId: string, programmeId: string, isOwn: boolean): ChosenRules {
  const others = rules.criteria.filter((one) => one.trackId !== trackId || one.programmeId !== programmeId)
  const common = rules.criteria.find((one) => one.trackId === trackId && one.programmeId === null)
  return { ...rules, criteria: isOwn && common ? [...others, { ...common, programmeId }] : others }
}

type TestChange = { weight?: number; passMark?: number | null }

export const withTest = (rules: ChosenRules, criteria: Criteria, testId: string, change: TestChange): ChosenRules => ({
  ...rules,
  criteria: rules.criteria.map((one) =>
    one.trackId === criteria.trackId && one.programmeId === criteria.programmeId
      ? { ...one, tests: one.tests.map((test) => (test.testId === testId ? { ...test, ...change } : test)) }
      : one,
  ),
})
