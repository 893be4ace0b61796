import { applicantFacts, fixBayar } from './facts/applicant-facts.ts'
import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Regions and schools that applicants come from. */
export const registrationsByRegion = defineReport({
  slug: 'wilayah-asal-sekolah',
  shape: 'lines',
  groups: ['province', 'city', 'school', 'agreement', 'programme', 'faculty', 'track'],
  by: ['province'],
  steps: { province: { filter: 'provinceId', by: ['city'] }, city: { filter: 'cityId', by: ['school', 'agreement'] } },
  measures: {
    submitted: reached('submitted', applicantFacts),
    accepted: reached('accepted', applicantFacts),
    fixBayar,
  },
  shares: { conversion: { of: 'fixBayar', among: 'submitted' } },
  filters: [
    ...(['year', 'provinceId', 'cityId', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId'] as const),
    ...(['from', 'to'] as const),
  ],
  year: 'current',
  columns: ['code', 'name', 'school', 'city', 'province', 'programme', 'track', 'stage', 'fixedAt'],
  chart: { kind: 'bars', of: ['submitted', 'fixBayar'] },
})
