import { defineList } from '#domain/list.ts'
import { proofRow, proofStates } from './endpoints.ts'

export const listProofs = defineList({
  name: 'bukti-transfer',
  path: '/bukti-transfer',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Proofs of transfers that applicants sent',
  words: { title: 'staff-titles:bukti-transfer', columns: 'transfer-proofs:column', filters: 'transfer-proofs:column' },
  row: proofRow,
  columns: {
    applicantName: { word: 'money:staff.applicant' },
    amount: { kind: 'money', sort: true },
    paidAt: { kind: 'dateTime', sort: true },
    fromBank: {},
    state: { words: 'transfer-proofs:state' },
    sentAt: { kind: 'dateTime', sort: true },
    registrationCode: { word: 'money:staff.registration' },
    billNumber: { word: 'money:staff.bill' },
    billStatus: { words: 'bills:billStatus' },
    billKind: { word: 'money:staff.registrationKind', words: 'bills:kind', hidden: true },
    programme: { hidden: true },
    note: { hidden: true },
    reason: { hidden: true },
    returnedBecause: { words: 'transfer-proofs:returned', hidden: true },
    answeredBy: { hidden: true },
    answeredAt: { kind: 'dateTime', hidden: true },
  },
  filters: {
    state: { values: proofStates, words: 'transfer-proofs:state', quick: true },
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-sentAt',
})
