import { defineList } from '#domain/list.ts'
import { billKinds, billStatuses } from './bill-status.ts'
import { billRow } from './endpoints.ts'
import { promiseStates } from './promise.ts'

export const listBills = defineList({
  name: 'bills',
  path: '/bills',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Bills',
  words: { title: 'money:bills.title', columns: 'money:bills', filters: 'money:bills.filter' },
  row: billRow,
  columns: {
    applicantName: { word: 'approvals:approval.applicant' },
    number: { word: 'approvals:approval.bill' },
    kind: { word: 'money:staff.registrationKind', words: 'bills:kind', hidden: true },
    status: { word: 'approvals:approval.status', words: 'bills:billStatus' },
    total: { kind: 'money', sort: true },
    paid: { kind: 'money', hidden: true },
    rest: { kind: 'money' },
    dueAt: { kind: 'dateTime', dayOnly: true, sort: true },
    issuedAt: { kind: 'dateTime', dayOnly: true, sort: true, hidden: true },
    promise: { word: 'money:bills.filter.promise', words: 'bills:promise.state', hidden: true },
    promisedUntil: { word: 'money:exception.payBy', kind: 'dateTime', dayOnly: true, hidden: true },
    programme: { hidden: true },
    registrationCode: { word: 'money:staff.registration', hidden: true },
  },
  filters: {
    status: { values: billStatuses, words: 'bills:billStatus' },
    overdue: { kind: 'yesNo' },
    promise: { values: promiseStates, words: 'bills:promise.state' },
    kind: { values: billKinds, words: 'bills:kind' },
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-issuedAt',
  /** Whole rupiah, without cancelled bills. */
  sums: ['total', 'paid', 'rest'],
})
