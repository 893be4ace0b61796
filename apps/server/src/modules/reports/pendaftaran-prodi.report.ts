import { capacity } from './facts/place-facts.ts'
import { chosen, reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Registrations per study programme and stage. */
export const registrationsByProgramme = defineReport({
  slug: 'pendaftaran-prodi',
  shape: 'lines',
  groups: ['programme', 'classProgramme', 'wave', 'track', 'faculty'],
  by: ['programme'],
  measures: {
    started: reached('started'),
    firstChoices: chosen(1),
    choices: chosen(),
    submitted: reached('submitted'),
    paid: reached('paid'),
    verified: reached('verified'),
    tested: reached('tested'),
    accepted: reached('accepted'),
    confirmed: reached('confirmed'),
    enrolled: reached('enrolled'),
    capacity,
  },
  shares: { filled: { of: 'enrolled', among: 'capacity' } },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    'code',
    'name',
    'choice',
    'programme',
    'classProgramme',
    'wave',
    'track',
    'entryLevel',
    'places',
    'stage',
    'submittedAt',
  ],
  chart: { kind: 'nested', of: ['submitted', 'paid', 'accepted', 'enrolled'] },
})
