import { requiredFiles } from './facts/file-facts.ts'
import { defineReport } from './report.ts'

/** Completeness of required files and driving licences. */
export const filesAndLicences = defineReport({
  slug: 'berkas-sim',
  shape: 'rows',
  groups: ['programme', 'fileKind', 'fileState', 'licenceClass', 'faculty', 'wave', 'track'],
  by: ['programme'],
  measures: {
    files: requiredFiles(),
    complete: requiredFiles('approved', 'waived', 'deferred'),
    toReview: requiredFiles('to_review'),
    rejected: requiredFiles('rejected'),
    missing: requiredFiles('missing'),
    licenceExpired: requiredFiles('expired'),
  },
  shares: { completeness: { of: 'complete', among: 'files' } },
  rowsOf: ['files'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'current',
  columns: [
    ...(['code', 'name', 'programme', 'track', 'fileKind', 'file', 'licenceClass', 'expiresOn'] as const),
    ...(['fileState', 'since', 'reviewer'] as const),
  ],
  chart: { kind: 'stacked', of: ['complete', 'toReview', 'rejected', 'missing', 'licenceExpired'] },
})
