import { applicantFacts, withoutEthnicGroup } from './facts/applicant-facts.ts'
import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Registrations by ethnic group. Groups with few people are never shown on their own. */
export const registrationsByEthnicGroup = defineReport({
  slug: 'berdasarkan-suku',
  shape: 'lines',
  groups: ['ethnicGroup'],
  by: ['ethnicGroup'],
  smallestLine: 5,
  measures: {
    submitted: reached('submitted', applicantFacts),
    enrolled: reached('enrolled', applicantFacts),
    noAnswer: withoutEthnicGroup,
  },
  shares: { conversion: { of: 'enrolled', among: 'submitted' } },
  filters: ['year', 'waveId', 'trackId', 'facultyId'],
  year: 'current',
  columns: ['code', 'name', 'programme', 'wave', 'track', 'stage'],
  chart: { kind: 'bars', of: ['submitted', 'enrolled'] },
})
