import { defineList } from '#domain/list.ts'
import { accountRow } from './staff-endpoints.ts'

export const listAccounts = defineList({
  name: 'accounts',
  path: '/settings/accounts',
  access: 'settings-accounts-view',
  summary: 'Accounts of staff and applicants',
  words: { title: 'staff-accounts:title', columns: 'staff-accounts:columns', filters: 'staff-accounts:filters' },
  row: accountRow,
  columns: {
    name: { sort: true },
    email: { sort: true, sortRight: 'settings-accounts-update' },
    role: {},
    status: { words: 'staff-accounts:status' },
    twoFactor: { words: 'staff-accounts:twoFactor' },
    lastSignedInAt: { kind: 'dateTime', absent: 'staff-accounts:never', sort: true },
    phone: { hidden: true },
    emailVerified: { kind: 'yesNo', hidden: true },
    createdAt: { kind: 'dateTime', sort: true, hidden: true },
  },
  filters: {
    kind: { values: ['staff', 'applicants'], words: 'staff-accounts:kinds', quick: true },
    roleId: { kind: 'id', table: 'roles' },
    active: { kind: 'yesNo' },
    locked: { kind: 'yesNo' },
    emailVerified: { kind: 'yesNo' },
    twoFactor: { kind: 'yesNo' },
    invited: { kind: 'yesNo' },
  },
  order: 'name',
})
