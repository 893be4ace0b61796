import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Registrations per day, week or month. */
export const registrationsOverTime = defineReport({
  slug: 'total-pendaftaran',
  shape: 'lines',
  groups: ['day', 'week', 'month', 'track', 'programme', 'faculty', 'classProgramme', 'wave'],
  by: ['week'],
  measures: {
    started: reached('started'),
    submitted: reached('submitted'),
    paid: reached('paid'),
    enrolled: reached('enrolled'),
  },
  running: { startedSoFar: 'started', submittedSoFar: 'submitted', paidSoFar: 'paid', enrolledSoFar: 'enrolled' },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: ['code', 'name', 'programme', 'classProgramme', 'wave', 'track', 'stage', 'submittedAt'],
  chart: { kind: 'lines', of: ['submittedSoFar', 'paidSoFar'] },
})
