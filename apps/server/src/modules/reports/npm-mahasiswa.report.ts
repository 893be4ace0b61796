import { missingNumbers, studentNumbers, withCard, withdrawnNumbers, withoutCard } from './facts/number-facts.ts'
import { defineReport } from './report.ts'

/** Student numbers, with withdrawn and missing ones. */
export const studentNumbersReport = defineReport({
  slug: 'npm-mahasiswa',
  shape: 'rows',
  groups: ['programme', 'classProgramme', 'faculty', 'series', 'wave', 'track'],
  by: ['programme'],
  measures: {
    numbers: studentNumbers,
    cardPrinted: withCard,
    cardOpen: withoutCard,
    withdrawnNumbers,
    missingNumbers,
  },
  rowsOf: ['numbers'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    ...(['npm', 'code', 'name', 'programme', 'classProgramme', 'wave', 'series', 'issuedAt', 'issuedBy'] as const),
    ...(['cardPrintedAt', 'withdrawnAt', 'withdrawnBy', 'withdrawnReason'] as const),
  ],
  chart: { kind: 'bars', of: ['numbers'] },
})
