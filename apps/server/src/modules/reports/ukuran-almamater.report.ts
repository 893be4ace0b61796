import { handedOut, jacketStock, jacketsFor, toOrder } from './facts/jacket-facts.ts'
import { defineReport } from './report.ts'

/** Jackets needed, in stock and handed out, by size. */
export const jacketSizes = defineReport({
  slug: 'ukuran-almamater',
  shape: 'lines',
  groups: ['size', 'gender', 'programme', 'faculty', 'wave', 'track'],
  by: ['size'],
  measures: {
    confirmed: jacketsFor('confirmed'),
    enrolled: jacketsFor('enrolled'),
    ordered: jacketStock('received'),
    inStock: jacketStock('inStock'),
    handedOut,
    toOrder,
  },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'to'],
  year: 'current',
  columns: [
    ...(['code', 'name', 'size', 'gender', 'programme', 'classProgramme', 'wave', 'handedAt'] as const),
    ...(['movedAt', 'movement', 'quantity', 'supplier'] as const),
  ],
  chart: { kind: 'bars', of: ['confirmed', 'handedOut', 'toOrder'] },
})
