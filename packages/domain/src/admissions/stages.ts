import type { RegistrationStatus, ShownResult } from './registration-status.ts'

/** Stages of the applicant's stepper, in order. */
export const stageKeys = ['data', 'payment', 'documents', 'selection', 'confirmation', 'enrolment'] as const
export type StageKey = (typeof stageKeys)[number]

export const stageStates = ['done', 'current', 'upcoming', 'stopped'] as const
export type StageState = (typeof stageStates)[number]

export type StageFacts = {
  /** Status the reader may know. */
  status: RegistrationStatus
  closedFrom: string | null
  result: ShownResult
  /** Whether the registration fee is due again: its payment was reversed, or the fee rose. */
  feeOwed: boolean
  /** Whether a student still has to pay, upload or fill in something for the enrolment. */
  enrolmentOpen: boolean
  submittedAt: Date | null
  paidAt: Date | null
  verifiedAt: Date | null
  decidedAt: Date | null
  confirmedAt: Date | null
  enrolledAt: Date | null
}

const stageOf: Record<RegistrationStatus, number> = {
  draft: 0,
  submitted: 1,
  paid: 2,
  verified: 3,
  decided: 4,
  confirmed: 5,
  enrolled: 6,
  withdrawn: 0,
  cancelled: 0,
  expired: 0,
}

const paymentStage = stageKeys.indexOf('payment')

const closedStatuses: readonly RegistrationStatus[] = ['withdrawn', 'cancelled', 'expired']

/** State of each stage. Refused and closed registrations stop at the stage they reached. */
export function stagesOf(facts: StageFacts): { key: StageKey; state: StageState; at: Date | null }[] {
  const isClosed = closedStatuses.includes(facts.status)
  const stageIndex = isClosed ? stageReached(facts) : stageOf[facts.status] - (facts.enrolmentOpen ? 1 : 0)
  const isRefused = facts.result === 'not_accepted'
  const currentIndex = isRefused ? Math.min(stageIndex, 3) : stageIndex
  const dates = [
    facts.submittedAt,
    facts.paidAt,
    facts.verifiedAt,
    facts.decidedAt,
    facts.confirmedAt,
    facts.enrolledAt,
  ]
  const paysAgain = facts.feeOwed && !isClosed && !isRefused && currentIndex > paymentStage
  return stageKeys.map((key, index) => {
    const state = paysAgain && index === paymentStage ? 'current' : index < currentIndex ? 'done' : 'upcoming'
    const shownState = index === currentIndex && !paysAgain ? (isClosed || isRefused ? 'stopped' : 'current') : state
    return {
      key,
      state: shownState,
      at: shownState === 'done' || (isRefused && index === currentIndex) ? (dates[index] ?? null) : null,
    }
  })
}

/** Stage a closed registration had reached, by its dates, since its status no longer shows it. */
function stageReached(facts: StageFacts): number {
  const { submittedAt, paidAt, verifiedAt, decidedAt, confirmedAt } = facts
  const dates = [submittedAt, paidAt, verifiedAt, facts.result === 'waiting' ? null : decidedAt, confirmedAt]
  const firstMissing = dates.indexOf(null)
  return firstMissing === -1 ? 5 : firstMissing
}
