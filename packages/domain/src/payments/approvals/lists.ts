import { defineList } from '#domain/list.ts'
import { approvalKinds, approvalStatuses } from './approvals.ts'
import { approvalRow } from './endpoints.ts'

export const listApprovals = defineList({
  name: 'persetujuan',
  path: '/persetujuan',
  access: 'persetujuan-view',
  summary: 'Requests that another one decides about',
  words: { title: 'titles:persetujuan', columns: 'desk:approval', filters: 'desk:approval' },
  row: approvalRow,
  columns: {
    applicant: {},
    kind: { words: 'desk:kind' },
    amount: { kind: 'money', sort: true },
    status: { words: 'desk:status' },
    askedBy: {},
    requestedAt: { word: 'desk:approval.askedAt', kind: 'dateTime', dayOnly: true, sort: true },
    billNumber: { word: 'desk:approval.bill', hidden: true },
    reason: { hidden: true },
  },
  filters: {
    status: { values: approvalStatuses, words: 'desk:status', quick: true },
    kind: { values: approvalKinds, words: 'desk:kind' },
    requestedBy: { kind: 'id', word: 'desk:approval.askedBy' },
    from: { kind: 'day', word: 'payments:staff.from' },
    to: { kind: 'day', word: 'payments:staff.to' },
  },
  order: '-requestedAt',
})
