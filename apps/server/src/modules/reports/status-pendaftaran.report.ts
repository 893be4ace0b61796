import { longestWaiting, reachedWaiting, waiting, waitingPercentile } from './facts/waiting-facts.ts'
import { defineReport } from './report.ts'

/** Stages of registrations, what they wait for and for how long. */
export const registrationStatus = defineReport({
  slug: 'status-pendaftaran',
  shape: 'lines',
  groups: ['stage', 'waitsFor', 'waitingDays', 'programme', 'track', 'wave', 'faculty', 'classProgramme'],
  by: ['stage', 'waitsFor'],
  measures: {
    waiting,
    medianDays: waitingPercentile(0.5),
    ninetiethDays: waitingPercentile(0.9),
    longestDays: longestWaiting,
    started: reachedWaiting('started'),
    submitted: reachedWaiting('submitted'),
    paid: reachedWaiting('paid'),
    verified: reachedWaiting('verified'),
    accepted: reachedWaiting('accepted'),
    confirmed: reachedWaiting('confirmed'),
    enrolled: reachedWaiting('enrolled'),
  },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'current',
  columns: ['code', 'name', 'phone', 'programme', 'track', 'wave', 'stage', 'waitsFor', 'since', 'days'],
  chart: { kind: 'funnel', of: ['started', 'submitted', 'paid', 'verified', 'accepted', 'confirmed', 'enrolled'] },
})
