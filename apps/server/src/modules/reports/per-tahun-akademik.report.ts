import { income } from './facts/income-facts.ts'
import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Academic years compared. */
export const registrationsByYear = defineReport({
  slug: 'per-tahun-akademik',
  shape: 'lines',
  groups: ['year', 'track', 'faculty', 'programme'],
  by: ['year'],
  measures: {
    started: reached('started'),
    submitted: reached('submitted'),
    paid: reached('paid'),
    verified: reached('verified'),
    tested: reached('tested'),
    accepted: reached('accepted'),
    confirmed: reached('confirmed'),
    enrolled: reached('enrolled'),
    income,
  },
  shares: {
    paidOfSubmitted: { of: 'paid', among: 'submitted' },
    acceptedOfPaid: { of: 'accepted', among: 'paid' },
    enrolledOfAccepted: { of: 'enrolled', among: 'accepted' },
  },
  filters: ['year', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'all',
  compares: false,
  columns: ['code', 'name', 'programme', 'wave', 'track', 'stage', 'submittedAt', 'billNumber', 'receivedAt', 'amount'],
  chart: { kind: 'bars', of: ['submitted', 'accepted', 'enrolled'] },
})
