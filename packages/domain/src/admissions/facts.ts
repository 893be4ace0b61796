import type { BillStatus } from '#domain/payments/bills/bill-status.ts'
import type { RegistrationStatus, ShownResult } from './registration-status.ts'

export type BillFacts = {
  status: BillStatus
  total: number
  paid: number
  next: { amount: number; dueAt: Date | null } | null
  /** Latest reversed payment, unless money arrived after it. */
  takenBack: { amount: number; reason: string } | null
}

/** Facts used by the rules of a registration; the server fills them in. */
export type RegistrationFacts = {
  id: string
  /** Status the reader may know: `verified` for applicants until the decision is published. */
  status: RegistrationStatus
  result: ShownResult
  missingProfileFields: readonly string[]
  choices: readonly ChoiceFacts[]
  maxChoices: number
  asksDonation: boolean
  donationAmount: number | null
  donation: DonationRule | null
  window: {
    opensAt: Date
    closesAt: Date
    paymentDueAt: Date | null
    resultsAt: Date | null
    confirmationDueAt: Date | null
  }
  /** Places left in the track; null without a quota. */
  quotaLeft: number | null
  documentsState: 'missing' | 'to_review' | 'rejected' | 'complete'
  documents: DocumentFacts
  /** Documents for enrolment, requested once the place is confirmed. */
  enrolmentDocuments: DocumentFacts
  /** Whether the enrolment data has been saved. */
  hasEnrolmentData: boolean
  /** Whether every required document is approved, waived or deferred. */
  documentsSettled: boolean
  hasTest: boolean
  seat: SeatFacts | null
  /** When the offer of a waiting-list seat ends; null without an offer. */
  seatOfferedUntil: Date | null
  testSessions: number
  publishAt: Date | null
  registrationFee: BillFacts | null
  reRegistration: BillFacts | null
  /** Rupiah still missing for the student number; null without a bill. */
  untilNumber: number | null
  studentNumber: string | null
}

/** Documents of one stage; `dueOn` is the earliest date among those the applicant still has to send. */
type DocumentFacts = {
  missing: number
  rejected: number
  firstRejected: { name: string | null; reason: string | null } | null
  toReview: number
  dueOn: string | null
  required: number
}

/** Times as HH:MM in the university's time zone. */
export type SeatFacts = { status: string; mode: string; date: string; startTime: string; endTime: string }

export type ChoiceFacts = { programmeId: string; offered: boolean; placesLeft: number }
export type DonationRule = { required: boolean; minimumAmount: number; suggestedAmounts: number[] }
