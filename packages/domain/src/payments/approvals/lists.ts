import { defineList } from '#domain/list.ts'
import { approvalKinds, approvalStatuses } from './approvals.ts'
import { approvalRow } from './endpoints.ts'

export const listApprovals = defineList({
  name: 'persetujuan',
  path: '/persetujuan',
  access: 'persetujuan-view',
  summary: 'Requests that another one decides about',
  words: { title: 'staff-titles:persetujuan', columns: 'approvals:approval', filters: 'approvals:approval' },
  row: approvalRow,
  columns: {
    /** The applicant, or the bank account, connection or statement line concerned. */
    applicant: { word: 'approvals:approval.concerns' },
    kind: { words: 'approvals:kind' },
    amount: { kind: 'money', sort: true },
    status: { words: 'approvals:status' },
    askedBy: {},
    requestedAt: { word: 'approvals:approval.askedAt', kind: 'dateTime', dayOnly: true, sort: true },
    billNumber: { word: 'approvals:approval.bill', hidden: true },
    reason: { hidden: true },
  },
  filters: {
    status: { values: approvalStatuses, words: 'approvals:status', quick: true },
    kind: { values: approvalKinds, words: 'approvals:kind' },
    requestedBy: { kind: 'id', table: 'accounts', word: 'approvals:approval.askedBy' },
    from: { kind: 'day', word: 'money:staff.from' },
    to: { kind: 'day', word: 'money:staff.to' },
  },
  order: '-requestedAt',
})
