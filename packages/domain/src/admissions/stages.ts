import type { RegistrationStatus, ShownResult } from './registration-status.ts'

/** The stepper of the applicant, in order. */
export const stageKeys = ['data', 'payment', 'documents', 'selection', 'confirmation', 'enrolment'] as const
export type StageKey = (typeof stageKeys)[number]

export const stageStates = ['done', 'current', 'upcoming', 'stopped'] as const
export type StageState = (typeof stageStates)[number]

export type StageFacts = {
  /** As the reader may know it. */
  status: RegistrationStatus
  closedFrom: string | null
  result: ShownResult
  /** The registration fee is owed although it was settled once: its payment was taken back, or the fee rose. */
  feeOwed: boolean
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

const ended: readonly RegistrationStatus[] = ['withdrawn', 'cancelled', 'expired']

/** Where the registration stands on the stepper; a refusal or a closed registration stops where it was. */
export function stagesOf(facts: StageFacts): { key: StageKey; state: StageState; at: Date | null }[] {
  const closed = ended.includes(facts.status)
  const reached = closed ? stageReached(facts) : stageOf[facts.status]
  const refused = facts.result === 'not_accepted'
  const current = refused ? Math.min(reached, 3) : reached
  const at = [facts.submittedAt, facts.paidAt, facts.verifiedAt, facts.decidedAt, facts.confirmedAt, facts.enrolledAt]
  const paysAgain = facts.feeOwed && !closed && !refused && current > paymentStage
  return stageKeys.map((key, index) => {
    const state = paysAgain && index === paymentStage ? 'current' : index < current ? 'done' : 'upcoming'
    const now = index === current && !paysAgain ? (closed || refused ? 'stopped' : 'current') : state
    return { key, state: now, at: now === 'done' || (refused && index === current) ? (at[index] ?? null) : null }
  })
}

/** How far a closed registration had come; the dates outlive the status. */
function stageReached(facts: StageFacts): number {
  const { submittedAt, paidAt, verifiedAt, decidedAt, confirmedAt } = facts
  const dates = [submittedAt, paidAt, verifiedAt, facts.result === 'waiting' ? null : decidedAt, confirmedAt]
  const first = dates.indexOf(null)
  return first === -1 ? 5 : first
}
