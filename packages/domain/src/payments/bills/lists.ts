import { defineList } from '#domain/list.ts'
import { billKinds, billStatuses } from './bill-status.ts'
import { billRow } from './endpoints.ts'
import { promiseStates } from './promise.ts'

export const listBills = defineList({
  name: 'bills',
  path: '/bills',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Bills',
  words: { title: 'desk:bills.title', columns: 'desk:bills', filters: 'desk:bills.filter' },
  row: billRow,
  columns: {
    applicantName: { word: 'desk:approval.applicant' },
    number: { word: 'desk:approval.bill' },
    kind: { word: 'payments:staff.registrationKind', words: 'payments:kind', hidden: true },
    status: { word: 'desk:approval.status', words: 'payments:billStatus' },
    total: { kind: 'money', sort: true },
    paid: { kind: 'money', hidden: true },
    rest: { kind: 'money' },
    dueAt: { kind: 'dateTime', dayOnly: true, sort: true },
    issuedAt: { kind: 'dateTime', dayOnly: true, sort: true, hidden: true },
    promise: { word: 'desk:bills.filter.promise', words: 'payments:promise.state', hidden: true },
    promisedUntil: { word: 'desk:exception.payBy', kind: 'dateTime', dayOnly: true, hidden: true },
    programme: { hidden: true },
    registrationCode: { word: 'payments:staff.registration', hidden: true },
  },
  filters: {
    status: { values: billStatuses, words: 'payments:billStatus' },
    overdue: { kind: 'yesNo' },
    promise: { values: promiseStates, words: 'payments:promise.state' },
    kind: { values: billKinds, words: 'payments:kind' },
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-issuedAt',
  /** Whole rupiah; cancelled bills count for nothing. */
  sums: ['total', 'paid', 'rest'],
})
