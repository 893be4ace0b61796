import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Registrations per wave, track, class and programme. */
export const numberOfRegistrations = defineReport({
  slug: 'jumlah-pendaftaran',
  shape: 'pivot',
  groups: ['programme', 'wave', 'track', 'classProgramme', 'faculty', 'stage'],
  by: ['programme', 'wave'],
  measures: {
    submitted: reached('submitted'),
    started: reached('started'),
    paid: reached('paid'),
    verified: reached('verified'),
    tested: reached('tested'),
    accepted: reached('accepted'),
    notAccepted: reached('not_accepted'),
    confirmed: reached('confirmed'),
    enrolled: reached('enrolled'),
    withdrawn: reached('withdrawn'),
    cancelled: reached('cancelled'),
    expired: reached('expired'),
  },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: ['code', 'name', 'programme', 'classProgramme', 'wave', 'track', 'stage', 'submittedAt'],
  chart: { kind: 'heat', of: ['submitted'] },
})
