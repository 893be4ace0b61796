import { applicantFacts, fixBayar } from './facts/applicant-facts.ts'
import { schoolMovement } from './facts/money-facts.ts'
import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Schools whose applicants have paid for their place. */
export const schoolsOfConfirmedPayers = defineReport({
  slug: 'asal-sekolah-fix-bayar',
  shape: 'lines',
  groups: ['school', 'agreement', 'programme', 'faculty', 'track'],
  by: ['school', 'agreement'],
  measures: {
    submitted: reached('submitted', applicantFacts),
    accepted: reached('accepted', applicantFacts),
    fixBayar,
    income: schoolMovement('received'),
    discounts: schoolMovement('discount'),
  },
  shares: { conversion: { of: 'fixBayar', among: 'submitted' } },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: ['code', 'name', 'school', 'programme', 'track', 'stage', 'fixedAt', 'billNumber', 'bookedAt', 'amount'],
  chart: { kind: 'bars', of: ['fixBayar', 'submitted'] },
})
