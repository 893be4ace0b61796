import { missedTests, passedTests, scored, scoresBy } from './facts/score-facts.ts'
import { defineReport } from './report.ts'

export const testResults = defineReport({
  slug: 'hasil-cbt',
  shape: 'rows',
  groups: ['scoreClass', 'session', 'test', 'outcome', 'programme', 'faculty', 'wave', 'track'],
  by: ['scoreClass'],
  measures: {
    scored,
    mean: scoresBy('average'),
    median: scoresBy('median'),
    spread: scoresBy('deviation'),
    passed: passedTests,
    absent: missedTests,
  },
  shares: { passedShare: { of: 'passed', among: 'scored' } },
  rowsOf: ['scored'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'current',
  columns: [
    ...([
      'code',
      'name',
      'programme',
      'test',
      'session',
      'sessionDate',
      'rawScore',
      'weightedScore',
      'standardScore',
    ] as const),
    ...(['rank', 'outcome'] as const),
  ],
  chart: { kind: 'bars', of: ['scored'] },
})
