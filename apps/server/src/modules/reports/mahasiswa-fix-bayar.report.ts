import { fixBayar } from './facts/applicant-facts.ts'
import { capacity } from './facts/place-facts.ts'
import { defineReport } from './report.ts'

/** Students whose place is paid for. */
export const confirmedPayers = defineReport({
  slug: 'mahasiswa-fix-bayar',
  shape: 'rows',
  groups: ['week', 'day', 'month', 'programme', 'faculty', 'classProgramme', 'wave', 'track', 'school', 'agreement'],
  by: ['week'],
  measures: { fixBayar, capacity },
  shares: { filled: { of: 'fixBayar', among: 'capacity' } },
  running: { fixBayarSoFar: 'fixBayar' },
  rowsOf: ['fixBayar'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    ...(['npm', 'code', 'name', 'phone', 'school', 'programme', 'classProgramme', 'fixedAt', 'paidTuition'] as const),
    ...(['owed', 'plan', 'nextDueAt', 'sponsored', 'wave', 'places'] as const),
  ],
  chart: { kind: 'lines', of: ['fixBayarSoFar'], target: 'capacity' },
})
