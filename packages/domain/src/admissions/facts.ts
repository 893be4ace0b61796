import type { BillStatus } from '#domain/payments/bills/bill-status.ts'
import type { RegistrationStatus, ShownResult } from './registration-status.ts'

export type BillFacts = {
  status: BillStatus
  total: number
  paid: number
  next: { amount: number; dueAt: Date | null } | null
  /** Latest reversed payment, if no money arrived after it. */
  takenBack: { amount: number; reason: string } | null
}

/** Facts the rules of a registration read; filled by the server. */
export type RegistrationFacts = {
  id: string
  /** Status as the reader may know it: `verified` for applicants until the decision is published. */
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
  /** Documents to enrol, asked for once the place is confirmed. */
  enrolmentDocuments: DocumentFacts
  /** The data for the enrolment were saved once. */
  hasEnrolmentData: boolean
  /** Every required document is approved, waived or deferred. */
  documentsSettled: boolean
  hasTest: boolean
  seat: { status: string } | null
  /** End of the offer of a seat from a waiting list; null without one. */
  seatOfferedUntil: Date | null
  testSessions: number
  publishAt: Date | null
  registrationFee: BillFacts | null
  reRegistration: BillFacts | null
  /** Whole rupiah still missing for the student number; null without a bill. */
  untilNumber: number | null
  studentNumber: string | null
}

/** Documents of one stage; `dueOn` is the first date of those the applicant still has to send. */
type DocumentFacts = { missing: number; rejected: number; toReview: number; dueOn: string | null; required: number }

export type ChoiceFacts = { programmeId: string; offered: boolean; placesLeft: number }
export type DonationRule = { required: boolean; minimumAmount: number; suggestedAmounts: number[] }
