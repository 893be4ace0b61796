import { z } from 'zod'
import { typedText } from '#entities/define/typed-text.ts'

/** How places are given: by score alone with all choices equal, or to earlier choices before later ones. */
export const selectionMethods = ['deferred_acceptance', 'first_choices_first'] as const

/**
 * Rule for ties at the last place: admit all above the quota, admit none, compare the criteria one after another, or
 * draw lots with a published seed. Ties that remain after the criteria are drawn by lot too.
 */
export const tieRules = ['all', 'none', 'next', 'lot'] as const
export type SelectionTies = (typeof tieRules)[number]

const holdKinds = ['place', 'exclude'] as const

export const selectionStatuses = ['computing', 'computed', 'adopting', 'adopted', 'failed'] as const
export type SelectionStatus = (typeof selectionStatuses)[number]

/** Outcomes of one choice; the first three have a place. */
export const selectionOutcomes = [
  'placed',
  'held',
  'kept',
  'reserve',
  'full',
  'earlier_choice',
  'below_minimum',
  'no_score',
  'blocked',
  'excluded',
] as const
export type SelectionOutcome = (typeof selectionOutcomes)[number]

const weightedTest = z.strictObject({
  testId: z.uuid(),
  /** 0: the score only settles ties and must reach the pass mark. */
  weight: z.number().min(0).max(100).multipleOf(0.01),
  passMark: z.number().min(0).max(10_000).multipleOf(0.01).nullable(),
})
export type WeightedTest = z.output<typeof weightedTest>

const criteria = z.strictObject({
  trackId: z.uuid(),
  /** Null: every programme without its own criteria. */
  programmeId: z.uuid().nullable(),
  /** In the order in which they settle ties. */
  tests: z.array(weightedTest).max(10),
})
export type Criteria = z.output<typeof criteria>

export const changedPlaces = z.strictObject({
  programmeDetailId: z.uuid(),
  /** Null: `places` is the over-offer of the programme. */
  trackId: z.uuid().nullable(),
  places: z.int().min(0).max(100_000),
})
export type ChangedPlaces = z.output<typeof changedPlaces>

export const hold = z.strictObject({
  registrationId: z.uuid(),
  programmeId: z.uuid().nullable(),
  kind: z.enum(holdKinds),
  reason: typedText().min(3).max(500),
})
export type Hold = z.output<typeof hold>

/** Rules a user chooses for a run. */
export const chosenRules = z.strictObject({
  method: z.enum(selectionMethods),
  tracks: z
    .array(z.strictObject({ trackId: z.uuid(), ties: z.enum(tieRules) }))
    .min(1)
    .max(50),
  /** For programmes whose places are not divided by track. */
  ties: z.enum(tieRules),
  criteria: z.array(criteria).min(1).max(500),
  /** Reserve candidates as a percentage of the places of a quota. */
  reservePercent: z.int().min(0).max(500),
})
export type ChosenRules = z.output<typeof chosenRules>

/** Stored rules of a run. */
export type SelectionRules = ChosenRules & {
  /** Published. An applicant's lot is the SHA-256 of seed, space and registration code; smallest first. */
  lotSeed: string
  holds: Hold[]
  /** Quotas of a what-if run that differ from the current ones; adopting the run writes them. */
  places: ChangedPlaces[]
}

export const selectionRules = z.object({
  ...chosenRules.shape,
  lotSeed: z.string(),
  holds: z.array(hold),
  places: z.array(changedPlaces),
})

/** Tests that count for an application: its programme's, otherwise its track's. */
export const testsFor = (all: readonly Criteria[], trackId: string, programmeId: string): readonly WeightedTest[] =>
  (
    all.find((one) => one.trackId === trackId && one.programmeId === programmeId) ??
    all.find((one) => one.trackId === trackId && one.programmeId === null)
  )?.tests ?? []

/** Contradictory fields: a track listed twice, or criteria for a track that takes no part. */
export function problemsOfRules({ tracks, criteria: all }: Partial<ChosenRules>) {
  if (!tracks || !all) return {}
  const trackIds = tracks.map(({ trackId }) => trackId)
  const keys = all.map(({ trackId, programmeId }) => `${trackId} ${programmeId}`)
  const isContradictory =
    new Set(trackIds).size < trackIds.length ||
    new Set(keys).size < keys.length ||
    all.some(({ trackId }) => !trackIds.includes(trackId)) ||
    trackIds.some((id) => !keys.includes(`${id} null`)) ||
    all.some(({ tests }) => new Set(tests.map(({ testId }) => testId)).size < tests.length)
  return isContradictory ? { criteria: 'selection_criteria' as const } : {}
}
