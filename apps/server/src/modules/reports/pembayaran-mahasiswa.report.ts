import { componentMovement } from './facts/money-facts.ts'
import { paidAmount, payments, refundedAmount, waitingAmount } from './facts/payment-facts.ts'
import { defineReport } from './report.ts'

/** Payments per day, channel or component. */
export const studentPayments = defineReport({
  slug: 'pembayaran-mahasiswa',
  shape: 'rows',
  groups: [
    'day',
    'week',
    'month',
    'channel',
    'provider',
    'component',
    'billKind',
    'programme',
    'faculty',
    'wave',
    'track',
  ],
  by: ['day'],
  measures: {
    paidAmount,
    payments,
    waitingAmount,
    refundedAmount,
    bookedMoney: { ...componentMovement('received'), needs: 'component' },
  },
  rowsOf: 'payments',
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'from', 'to'],
  year: 'all',
  columns: [
    ...(['receipt', 'code', 'name', 'phone', 'programme', 'billNumber', 'billKind', 'component', 'channel'] as const),
    ...(['virtualAccount', 'receivedAt', 'paidAt', 'bookedAt', 'amount', 'waitingAmount', 'refundedAmount'] as const),
  ],
  chart: { kind: 'columns', of: ['paidAmount'] },
})
