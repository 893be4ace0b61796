import { componentMovement, componentOutstanding } from './facts/money-facts.ts'
import { defineReport } from './report.ts'

/** Income of study programmes by fee component. */
export const incomeByComponent = defineReport({
  slug: 'pendapatan-detail-prodi',
  shape: 'pivot',
  groups: ['programme', 'component', 'month', 'faculty', 'billKind', 'wave', 'track'],
  by: ['programme', 'component'],
  measures: {
    received: componentMovement('received'),
    billed: componentMovement('billed'),
    discounts: componentMovement('discount'),
    letOff: componentMovement('let_off'),
    outstanding: componentOutstanding,
    cancelledRest: componentMovement('cancelled'),
  },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: ['billNumber', 'code', 'name', 'programme', 'component', 'billKind', 'movementKind', 'bookedAt', 'amount'],
  chart: { kind: 'heat', of: ['received'] },
})
