import { decided, declined, offerExpired, published, resulted, unanswered } from './facts/result-facts.ts'
import { defineReport } from './report.ts'

/** Decisions, and the outcome of offers. */
export const selectionResults = defineReport({
  slug: 'hasil-kelulusan',
  shape: 'rows',
  groups: ['programme', 'result', 'stage', 'faculty', 'classProgramme', 'wave', 'track'],
  by: ['programme'],
  measures: {
    decided,
    accepted: resulted('accepted'),
    notAccepted: resulted('not_accepted'),
    published,
    confirmed: resulted('confirmed'),
    declined,
    offerExpired,
    unanswered,
  },
  shares: {
    acceptedShare: { of: 'accepted', among: 'decided' },
    confirmedShare: { of: 'confirmed', among: 'accepted' },
  },
  rowsOf: ['decided'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    ...(['code', 'name', 'result', 'programme', 'classProgramme', 'track', 'wave', 'rank', 'decidedAt'] as const),
    ...(['publishedAt', 'confirmedAt', 'declinedAt', 'expiredAt'] as const),
  ],
  chart: { kind: 'stacked', of: ['accepted', 'notAccepted'] },
})
