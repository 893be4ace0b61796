import { documents, oldestDocument, reviews } from './facts/document-facts.ts'
import { defineReport } from './report.ts'

/** States of required files, by file and track. */
export const documentStates = defineReport({
  slug: 'status-berkas-pendaftaran',
  shape: 'lines',
  groups: ['file', 'track', 'reason', 'documentState', 'reviewer', 'day', 'programme', 'faculty', 'wave'],
  by: ['file', 'track'],
  measures: {
    files: documents(),
    missing: documents('missing'),
    toReview: documents('to_review'),
    approved: documents('approved'),
    rejected: documents('rejected'),
    deferred: documents('deferred'),
    waived: documents('waived'),
    oldestWaiting: oldestDocument,
    reviews,
  },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'current',
  columns: [
    ...(['code', 'name', 'programme', 'track', 'file', 'documentState', 'reason', 'dueOn', 'uploadedAt'] as const),
    ...(['daysWaiting', 'review', 'reviewedAt', 'reviewer'] as const),
  ],
  chart: { kind: 'stacked', of: ['toReview', 'missing', 'rejected', 'approved', 'deferred', 'waived'] },
})
