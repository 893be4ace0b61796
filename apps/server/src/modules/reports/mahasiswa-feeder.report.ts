import {
  feederFieldsOfAll,
  feederIncomplete,
  feederProblemsFound,
  feederReady,
  feederRefused,
  feederSent,
  feederStudentsWithNumber,
} from './facts/feeder-facts.ts'
import { defineReport } from './report.ts'

/** Data that the ministry's register still needs for each student, field by field. */
export const studentsForFeeder = defineReport({
  slug: 'mahasiswa-feeder',
  shape: 'rows',
  groups: ['programme', 'faculty', 'classProgramme', 'wave', 'track', 'feederField', 'feederProblem'],
  by: ['programme'],
  measures: {
    feederStudents: feederStudentsWithNumber,
    feederReady,
    feederIncomplete,
    feederSent,
    feederRefused,
    feederProblems: feederProblemsFound,
    feederFields: feederFieldsOfAll,
  },
  shares: { feederReadiness: { of: 'feederReady', among: 'feederStudents' } },
  rowsOf: ['feederProblems', 'feederStudents', 'feederFields'],
  compares: false,
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    ...(['npm', 'name', 'programme', 'feederField', 'feederProblem', 'feederValue'] as const),
    ...(['feederProblemCount', 'sentAt', 'feederDetail', 'classProgramme', 'track', 'wave', 'code'] as const),
  ],
  chart: { kind: 'stacked', of: ['feederReady', 'feederIncomplete'] },
})
