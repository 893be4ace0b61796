/** What can speak against accepting somebody; the general settings say for each whether it warns or refuses. */
export const decisionChecks = ['test_missing', 'score_below', 'documents_open', 'fee_open'] as const
export type DecisionCheck = (typeof decisionChecks)[number]

export const checkModes = ['warn', 'block'] as const
export type CheckMode = (typeof checkModes)[number]

/** The general setting of each check. */
export const settingOfCheck = {
  test_missing: 'acceptWithoutTest',
  score_below: 'acceptBelowGrade',
  documents_open: 'acceptWithOpenDocuments',
  fee_open: 'acceptWithOpenFee',
} as const satisfies Record<DecisionCheck, string>

/** What a decision rests on. Scores and grades have two decimals, amounts are whole rupiah. */
export type DecisionFacts = {
  hasTest: boolean
  seatStatus: string | null
  tests: readonly { name: string; score: number | null; passingGrade: number | null }[]
  /** Weighted mean out of 100; null while a test that counts has no score. */
  total: number | null
  /** Names of required documents that are neither approved nor waived nor deferred. */
  openDocuments: readonly string[]
  feeOwed: number
}

export type DecisionProblem = { check: DecisionCheck; params: Record<string, string | number> }

/** What speaks against accepting the registration for a programme with this passing grade. */
export function problemsOfAccepting(facts: DecisionFacts, passingGrade: number | null): DecisionProblem[] {
  const { hasTest, seatStatus, tests, total, openDocuments, feeOwed } = facts
  const untaken = tests.filter(({ score }) => score === null).map(({ name }) => name)
  const below = tests.filter(
    (test) => test.score !== null && test.passingGrade !== null && test.score < test.passingGrade,
  )
  const problems: DecisionProblem[] = []
  if (hasTest && (untaken.length > 0 || (tests.length === 0 && seatStatus !== 'attended')))
    problems.push({ check: 'test_missing', params: { tests: untaken.join(', ') || '–' } })
  const belowTotal = total !== null && passingGrade !== null && total < passingGrade
  if (belowTotal || below.length > 0)
    problems.push({
      check: 'score_below',
      params: belowTotal
        ? { score: total, grade: passingGrade, test: '' }
        : { score: below[0]!.score!, grade: below[0]!.passingGrade!, test: below.map(({ name }) => name).join(', ') },
    })
  if (openDocuments.length > 0)
    problems.push({ check: 'documents_open', params: { documents: openDocuments.join(', ') } })
  if (feeOwed > 0) problems.push({ check: 'fee_open', params: { amount: feeOwed } })
  return problems
}
