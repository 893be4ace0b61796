import { defineList } from '#domain/list.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { virtualAccountStatuses } from '#domain/payments/bills/virtual-account-status.ts'
import { virtualAccountRow } from './endpoints.ts'

export const listVirtualAccounts = defineList({
  name: 'transaksi-va',
  path: '/transaksi-va',
  access: 'transaksi-va-view',
  summary: 'Virtual accounts with their totals',
  words: { title: 'staff-titles:transaksi-va', columns: 'banks:columns', filters: 'banks:filters' },
  row: virtualAccountRow,
  columns: {
    number: { absent: 'banks:noNumber' },
    status: { words: 'bills:accountStatus' },
    applicantName: {},
    billNumber: { hidden: true },
    position: { kind: 'number', hidden: true },
    amount: { kind: 'money' },
    received: { kind: 'money' },
    expiresAt: { kind: 'dateTime', dayOnly: true, sort: true },
    bankName: {},
    createdAt: { kind: 'dateTime', sort: true, hidden: true },
    registrationCode: { hidden: true },
    billKind: { words: 'bills:kind', hidden: true },
    amountType: { words: 'banks:amountTypes', hidden: true },
  },
  filters: {
    status: { values: virtualAccountStatuses, words: 'bills:accountStatus' },
    bank: { kind: 'text', most: 20 },
    provider: { kind: 'text', most: 20 },
    kind: { values: billKinds, words: 'bills:kind' },
    alert: { kind: 'yesNo' },
    expiresFrom: { kind: 'day' },
    expiresTo: { kind: 'day' },
    createdFrom: { kind: 'day' },
    createdTo: { kind: 'day' },
  },
  order: '-createdAt',
  /** Whole rupiah; estimated if the row count is. */
  sums: ['amount', 'received'],
})
