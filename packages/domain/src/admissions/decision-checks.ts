/** Reasons against accepting an applicant; a setting makes each a warning or a refusal. */
export const decisionChecks = ['test_missing', 'score_below', 'documents_open', 'fee_open'] as const
export type DecisionCheck = (typeof decisionChecks)[number]

export const checkModes = ['warn', 'block'] as const
export type CheckMode = (typeof checkModes)[number]

/** The setting for each check. */
export const settingOfCheck = {
  test_missing: 'acceptWithoutTest',
  score_below: 'acceptBelowGrade',
  documents_open: 'acceptWithOpenDocuments',
  fee_open: 'acceptWithOpenFee',
} as const satisfies Record<DecisionCheck, string>

/** Facts for a decision. Scores and grades have two decimals, amounts are whole rupiah. */
export type DecisionFacts = {
  hasTest: boolean
  seatStatus: string | null
  tests: readonly { name: string; score: number | null; passingGrade: number | null }[]
  /** Weighted mean out of 100; null while a weighted test has no score. */
  total: number | null
  /** Names of required documents that are neither approved nor waived nor deferred. */
  openDocuments: readonly string[]
  feeOwed: number
}

export type DecisionProblem = { check: DecisionCheck; params: Record<string, string | number> }

/** Reasons against accepting the registration for a programme with this passing grade. */
export function problemsOfAccepting(facts: DecisionFacts, passingGrade: number | null): DecisionProblem[] {
  const { hasTest, seatStatus, tests, total, openDocuments, feeOwed } = facts
  const testsWithoutScore = tests.filter(({ score }) => score === null).map(({ name }) => name)
  const testsBelowGrade = tests.flatMap(({ name, score, passingGrade: grade }) =>
    score !== null && grade !== null && score < grade ? [{ name, score, grade }] : [],
  )
  const [firstBelowGrade] = testsBelowGrade
  const problems: DecisionProblem[] = []
  if (hasTest && (testsWithoutScore.length > 0 || (tests.length === 0 && seatStatus !== 'attended')))
    problems.push({ check: 'test_missing', params: { tests: testsWithoutScore.join(', ') || '–' } })
  const belowTotal = total !== null && passingGrade !== null && total < passingGrade
  if (belowTotal) problems.push({ check: 'score_below', params: { score: total, grade: passingGrade, test: '' } })
  else if (firstBelowGrade) {
    const { score, grade } = firstBelowGrade
    problems.push({
      check: 'score_below',
      params: { score, grade, test: testsBelowGrade.map(({ name }) => name).join(', ') },
    })
  }
  if (openDocuments.length > 0)
    problems.push({ check: 'documents_open', params: { documents: openDocuments.join(', ') } })
  if (feeOwed > 0) problems.push({ check: 'fee_open', params: { amount: feeOwed } })
  return problems
}
