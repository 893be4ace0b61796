import { defineList } from '#domain/list.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { paymentStatuses, waitingReasons } from '#domain/payments/bills/payment-status.ts'
import { listedPayment, waitingRow } from './endpoints.ts'

export const listPayments = defineList({
  name: 'pembayaran-mahasiswa',
  path: '/pembayaran-mahasiswa',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Payments received, newest first',
  words: { title: 'money:bills.tab.payments', filters: 'money:bills.filter' },
  row: listedPayment,
  columns: {
    applicantName: { word: 'money:staff.applicant' },
    registrationCode: { word: 'money:staff.registration' },
    receivedAt: { word: 'money:staff.received', kind: 'dateTime', sort: true },
    amount: { word: 'money:staff.amount', kind: 'money' },
    status: { word: 'money:staff.status', words: 'bills:paymentStatus' },
    waitingAmount: { word: 'money:waiting.amount', kind: 'money', hidden: true },
    refundedAmount: { word: 'money:refund.title', kind: 'money', hidden: true },
    billNumber: { word: 'money:staff.bill', absent: 'money:staff.noBill' },
    billKind: { word: 'money:staff.registrationKind', words: 'bills:kind', hidden: true },
    through: { word: 'money:payment.through', hidden: true },
    virtualAccountNumber: { word: 'money:staff.number', hidden: true },
    paymentReference: { word: 'money:enter.reference', hidden: true },
    paidAt: { word: 'money:enter.paidAt', kind: 'dateTime', hidden: true },
    receiptNumber: { word: 'money:staff.receipt' },
  },
  filters: {
    status: { values: paymentStatuses, words: 'bills:paymentStatus' },
    kind: { values: billKinds, words: 'bills:kind' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-receivedAt',
  /** Whole rupiah, without reversed payments. */
  sums: ['amount', 'allocated', 'waiting', 'refunded'],
})

export const listWaiting = defineList({
  name: 'uang-menunggu',
  path: '/uang-menunggu',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Money that arrived and has no bill to go to',
  words: { title: 'staff-titles:uang-menunggu', columns: 'money:waiting' },
  row: waitingRow,
  columns: {
    whose: {},
    waitingAmount: { word: 'money:waiting.amount', kind: 'money', sort: true },
    waitingReason: { word: 'money:waiting.why', words: 'bills:waitingReason' },
    waitingSince: { word: 'money:waiting.since', kind: 'dateTime', dayOnly: true, sort: true },
    ownerName: { word: 'money:waiting.owner' },
    bankName: { word: 'money:staff.bank', hidden: true },
    virtualAccountNumber: { word: 'money:staff.number', hidden: true },
    note: { hidden: true },
  },
  filters: {
    owner: { values: ['nobody', 'me'], words: 'money:waiting.owners', word: 'money:waiting.owner', quick: true },
    reason: { values: waitingReasons, words: 'bills:waitingReason', word: 'money:waiting.why' },
  },
  order: 'waitingSince',
  /** Whole rupiah. */
  sums: ['waitingAmount'],
})
