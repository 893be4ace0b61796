import { issuedBills } from './facts/issued-bill-facts.ts'
import { componentMovement } from './facts/money-facts.ts'
import { paidAmount, payments, refundedAmount, waitingAmount } from './facts/payment-facts.ts'
import { defineReport } from './report.ts'

/** Payments per day, channel or component. */
export const studentPayments = defineReport({
  slug: 'pembayaran-mahasiswa',
  shape: 'rows',
  groups: [
    ...(['day', 'week', 'month', 'channel', 'provider', 'component', 'billKind'] as const),
    ...(['programme', 'faculty', 'wave', 'track'] as const),
  ],
  by: ['day'],
  measures: {
    paidAmount,
    payments,
    waitingAmount,
    refundedAmount,
    bookedMoney: { ...componentMovement('received'), needs: 'component' },
    bills: issuedBills,
  },
  rowsOf: ['payments', 'bills'],
  filters: ['year', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId', 'from', 'to'],
  year: 'current',
  columns: [
    ...(['receipt', 'code', 'name', 'phone', 'programme', 'billNumber', 'billKind', 'component', 'channel'] as const),
    ...(['virtualAccount', 'receivedAt', 'paidAt', 'bookedAt', 'amount', 'waitingAmount', 'refundedAmount'] as const),
    ...(['paidTuition', 'owed', 'issuedAt', 'dueAt', 'plan'] as const),
  ],
  chart: { kind: 'columns', of: ['paidAmount'] },
})
