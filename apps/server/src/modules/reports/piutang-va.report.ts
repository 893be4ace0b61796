import { owed } from './facts/bill-facts.ts'
import { defineReport } from './report.ts'

/** Amounts owed, by days late. */
export const receivables = defineReport({
  slug: 'piutang-va',
  shape: 'rows',
  groups: ['programme', 'faculty', 'billKind', 'wave', 'track'],
  by: ['programme'],
  measures: {
    owed: owed(),
    notDue: owed({ from: 0, to: 0 }),
    late30: owed({ from: 1, to: 30 }),
    late60: owed({ from: 31, to: 60 }),
    late90: owed({ from: 61, to: 90 }),
    lateLonger: owed({ from: 91 }),
  },
  rowsOf: ['owed'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'all',
  columns: [
    ...(['billNumber', 'billKind', 'instalment', 'code', 'name', 'phone', 'programme', 'virtualAccount'] as const),
    ...(['dueAt', 'daysLate', 'owed', 'promisedUntil', 'remindedAt'] as const),
  ],
  chart: { kind: 'total', of: ['notDue', 'late30', 'late60', 'late90', 'lateLonger'] },
})
