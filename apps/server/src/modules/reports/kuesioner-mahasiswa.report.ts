import { answers, answersOfEnrolled, ownWords } from './facts/answer-facts.ts'
import { defineReport } from './report.ts'

/** Answers to the short questionnaire. */
export const questionnaireAnswers = defineReport({
  slug: 'kuesioner-mahasiswa',
  shape: 'lines',
  groups: ['question', 'answer', 'programme', 'track', 'faculty', 'wave'],
  by: ['question', 'answer'],
  measures: { answers, enrolled: answersOfEnrolled, ownWords },
  shares: { conversion: { of: 'enrolled', among: 'answers' } },
  shareWithin: 'question',
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: ['code', 'name', 'question', 'answer', 'otherAnswer', 'programme', 'track', 'wave', 'stage'],
  chart: { kind: 'bars', of: ['answers'] },
})
