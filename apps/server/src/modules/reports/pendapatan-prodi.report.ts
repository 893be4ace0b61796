import { movement, outstanding } from './facts/money-facts.ts'
import { reached } from './facts/registration-facts.ts'
import { defineReport } from './report.ts'

/** Income of study programmes. */
export const incomeByProgramme = defineReport({
  slug: 'pendapatan-prodi',
  shape: 'lines',
  groups: ['programme', 'faculty', 'billKind', 'classProgramme', 'wave', 'track', 'month'],
  by: ['programme'],
  measures: {
    billed: movement('billed'),
    discounts: movement('discount'),
    letOff: movement('let_off'),
    received: movement('received'),
    outstanding,
    cancelledRest: movement('cancelled'),
    refunded: movement('refunded'),
    enrolled: reached('enrolled'),
  },
  shares: {
    receivedShare: { of: 'received', among: 'billed' },
    perStudent: { of: 'received', among: 'enrolled', kind: 'money' },
  },
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: ['billNumber', 'code', 'name', 'programme', 'billKind', 'movementKind', 'bookedAt', 'amount'],
  chart: { kind: 'stacked', of: ['received', 'outstanding', 'discounts', 'letOff'] },
})
