import { defineList } from '#domain/list.ts'
import { dayRow, differenceRow, statementLineRow, statementRow } from './endpoints.ts'
import { dayStates, differenceKinds } from './reconciliation.ts'
import { statementStates } from './statement-lines.ts'

const view = 'rekonsiliasi-view'

const words = { columns: 'reconciliation:column', filters: 'reconciliation:column' }

export const listStatements = defineList({
  name: 'statements',
  path: '/statements',
  access: view,
  summary: 'Imported statements',
  words: { title: 'reconciliation:statements.title', columns: 'reconciliation:statements' },
  row: statementRow,
  columns: {
    fileName: { word: 'reconciliation:statements.file' },
    accountName: { word: 'reconciliation:column.accountName' },
    days: {},
    lines: { kind: 'number' },
    linesNew: { word: 'reconciliation:statements.fresh', kind: 'number' },
    open: { kind: 'number' },
    held: { kind: 'number' },
    pending: { kind: 'number', hidden: true },
    creditsSen: { word: 'reconciliation:statements.credits', kind: 'sen', hidden: true },
    debitsSen: { word: 'reconciliation:statements.debits', kind: 'sen', hidden: true },
    importedBy: { word: 'reconciliation:statements.by', hidden: true },
    importedAt: { word: 'reconciliation:statements.at', kind: 'dateTime', dayOnly: true, sort: true },
  },
  filters: { bankAccountId: { kind: 'id', table: 'bankAccounts', word: 'reconciliation:column.accountName' } },
  order: '-importedAt',
})

export const listStatementLines = defineList({
  name: 'statement-lines',
  path: '/statement-lines',
  access: view,
  summary: 'Lines of account statements',
  words: { ...words, title: 'reconciliation:export.lines' },
  row: statementLineRow,
  columns: {
    description: {},
    day: { kind: 'date', sort: true },
    amountSen: { word: 'reconciliation:column.amount', kind: 'sen', sort: true },
    state: { words: 'reconciliation:lineState' },
    balanceSen: { word: 'reconciliation:column.balance', kind: 'sen', hidden: true },
    reference: { hidden: true },
    accountName: { hidden: true },
    applicantName: {},
    matchedBy: { words: 'reconciliation:matchedBy', hidden: true },
    explanation: { words: 'reconciliation:explanation', hidden: true },
    reason: { hidden: true },
    settledBy: { hidden: true },
    settledAt: { kind: 'dateTime', hidden: true },
  },
  filters: {
    state: { values: statementStates, words: 'reconciliation:lineState', quick: true },
    direction: { values: ['in', 'out'], words: 'reconciliation:direction' },
    bankAccountId: { kind: 'id', table: 'bankAccounts' },
    from: { kind: 'day' },
    to: { kind: 'day' },
    importId: { kind: 'id', table: 'statementImports' },
  },
  order: '-day',
  orderNames: { amount: 'amountSen', '-amount': '-amountSen' },
})

export const listDays = defineList({
  name: 'rekonsiliasi',
  path: '/rekonsiliasi',
  access: view,
  summary: 'Days with what the books, the provider and the statement say',
  words: { ...words, title: 'reconciliation:export.days' },
  row: dayRow,
  columns: {
    day: { kind: 'date', sort: true },
    accountName: {},
    state: { words: 'reconciliation:dayState' },
    ledgerCount: { kind: 'number', hidden: true },
    ledgerTotal: { kind: 'money' },
    reportedCount: { kind: 'number', hidden: true },
    reportedTotal: { kind: 'money' },
    statementCount: { kind: 'number', hidden: true },
    statementTotalSen: { word: 'reconciliation:column.statementTotal', kind: 'sen' },
    explainedTotalSen: { word: 'reconciliation:column.explainedTotal', kind: 'sen', hidden: true },
    differences: { kind: 'number', hidden: true },
    openDifferences: { kind: 'number', hidden: true },
  },
  filters: {
    state: { values: dayStates, words: 'reconciliation:dayState', quick: true },
    bankAccountId: { kind: 'id', table: 'bankAccounts' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-day',
})

export const listDifferences = defineList({
  name: 'reconciliation-differences',
  path: '/reconciliation-differences',
  access: view,
  summary: 'Differences of all days',
  words: { ...words, title: 'reconciliation:export.differences' },
  row: differenceRow,
  columns: {
    kind: { words: 'reconciliation:kind' },
    day: { kind: 'date' },
    accountName: { hidden: true },
    label: {},
    applicantName: { hidden: true },
    ledgerAmount: { kind: 'money' },
    reportedAmount: { kind: 'money', hidden: true },
    statementAmountSen: { word: 'reconciliation:column.statementAmount', kind: 'sen' },
    settled: { word: 'reconciliation:column.state', kind: 'yesNo' },
    reason: { hidden: true },
    settledBy: { hidden: true },
    settledAt: { kind: 'dateTime', hidden: true },
    foundAt: { kind: 'dateTime', dayOnly: true, sort: true, hidden: true },
  },
  filters: {
    settled: { kind: 'yesNo', word: 'reconciliation:column.state', quick: true },
    kind: { values: differenceKinds, words: 'reconciliation:kind' },
    bankAccountId: { kind: 'id', table: 'bankAccounts' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-foundAt',
})
