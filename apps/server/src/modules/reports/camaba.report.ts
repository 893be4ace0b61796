import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Prospective students by stage. */
export const prospectiveStudents = defineReport({
  slug: 'camaba',
  shape: 'rows',
  groups: ['stage', 'programme', 'track', 'wave', 'faculty'],
  by: ['stage'],
  measures: { submitted: reached('submitted') },
  rowsOf: ['submitted'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    ...(['code', 'name', 'phone', 'email', 'school', 'programme', 'classProgramme', 'track', 'wave'] as const),
    ...(['stage', 'documents', 'owed', 'submittedAt', 'lastActivityAt'] as const),
  ],
  chart: { kind: 'bars', of: ['submitted'] },
})
