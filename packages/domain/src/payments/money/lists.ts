import { defineList } from '#domain/list.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { paymentStatuses, waitingReasons } from '#domain/payments/bills/payment-status.ts'
import { listedPayment, waitingRow } from './endpoints.ts'

export const listPayments = defineList({
  name: 'pembayaran-mahasiswa',
  path: '/pembayaran-mahasiswa',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Payments received, newest first',
  words: { title: 'desk:bills.tab.payments', filters: 'desk:bills.filter' },
  row: listedPayment,
  columns: {
    applicantName: { word: 'payments:staff.applicant' },
    registrationCode: { word: 'payments:staff.registration' },
    receivedAt: { word: 'payments:staff.received', kind: 'dateTime', sort: true },
    amount: { word: 'payments:staff.amount', kind: 'money' },
    status: { word: 'payments:staff.status', words: 'payments:paymentStatus' },
    waitingAmount: { word: 'desk:waiting.amount', kind: 'money', hidden: true },
    refundedAmount: { word: 'desk:refund.title', kind: 'money', hidden: true },
    billNumber: { word: 'payments:staff.bill', absent: 'payments:staff.noBill' },
    billKind: { word: 'payments:staff.registrationKind', words: 'payments:kind', hidden: true },
    through: { word: 'desk:payment.through', hidden: true },
    virtualAccountNumber: { word: 'payments:staff.number', hidden: true },
    paymentReference: { word: 'desk:enter.reference', hidden: true },
    paidAt: { word: 'desk:enter.paidAt', kind: 'dateTime', hidden: true },
    receiptNumber: { word: 'payments:staff.receipt' },
  },
  filters: {
    status: { values: paymentStatuses, words: 'payments:paymentStatus' },
    kind: { values: billKinds, words: 'payments:kind' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-receivedAt',
  /** Whole rupiah; a payment that was taken back counts for nothing. */
  sums: ['amount', 'allocated', 'waiting', 'refunded'],
})

export const listWaiting = defineList({
  name: 'uang-menunggu',
  path: '/uang-menunggu',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Money that arrived and has no bill to go to',
  words: { title: 'titles:uang-menunggu', columns: 'desk:waiting' },
  row: waitingRow,
  columns: {
    whose: {},
    waitingAmount: { word: 'desk:waiting.amount', kind: 'money', sort: true },
    waitingReason: { word: 'desk:waiting.why', words: 'payments:waitingReason' },
    waitingSince: { word: 'desk:waiting.since', kind: 'dateTime', dayOnly: true, sort: true },
    ownerName: { word: 'desk:waiting.owner' },
    bankName: { word: 'payments:staff.bank', hidden: true },
    virtualAccountNumber: { word: 'payments:staff.number', hidden: true },
    note: { hidden: true },
  },
  filters: {
    owner: { values: ['nobody', 'me'], words: 'desk:waiting.owners', word: 'desk:waiting.owner', quick: true },
    reason: { values: waitingReasons, words: 'payments:waitingReason', word: 'desk:waiting.why' },
  },
  order: 'waitingSince',
  /** Whole rupiah. */
  sums: ['waitingAmount'],
})
