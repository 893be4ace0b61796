import { seatCapacity, seats } from './facts/seat-facts.ts'
import { defineReport } from './report.ts'

/** Seats in test sessions, with attendance. */
export const testSeats = defineReport({
  slug: 'camaba-cbt',
  shape: 'rows',
  groups: ['session', 'room', 'attendance', 'programme', 'faculty', 'wave', 'track'],
  by: ['session'],
  measures: {
    seats: seats(),
    seatCapacity,
    booked: seats('booked'),
    attended: seats('attended'),
    absent: seats('absent'),
  },
  shares: { filled: { of: 'seats', among: 'seatCapacity' } },
  rowsOf: ['seats'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'current',
  columns: [
    ...(['code', 'name', 'programme', 'classProgramme', 'session', 'sessionDate', 'room', 'seat', 'places'] as const),
    ...(['attendance', 'arrivedAt'] as const),
  ],
  chart: { kind: 'bars', of: ['seats', 'seatCapacity'] },
})
