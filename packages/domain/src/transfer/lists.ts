import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import type { Choices } from '#entities/define/field.ts'

import { entities } from '#entities/index.ts'
import { importRecord } from './endpoints.ts'
import { importStatuses, problemLevels } from './import-status.ts'

const importProblem = z.object({
  number: z.int(),
  level: z.enum(problemLevels),
  row: z.int(),
  field: z.string().nullable(),
  header: z.string().nullable(),
  value: z.string().nullable(),
  reason: z.string(),
})

const exportFormats = ['xlsx', 'csv', 'pdf'] as const
const exportStatuses = ['running', 'done', 'stopped', 'failed'] as const

const exportRecord = z.object({
  id: z.uuid(),
  accountId: z.uuid(),
  accountName: z.string(),
  roleName: z.string(),
  list: z.string(),
  title: z.string(),
  format: z.enum(exportFormats),
  columns: z.array(z.string()),
  filter: z.record(z.string(), z.unknown()),
  filterWords: z.string(),
  status: z.enum(exportStatuses),
  rows: z.number(),
  bytes: z.number(),
  ip: z.string().nullable(),
  startedAt: time,
  finishedAt: time.nullable(),
})
export type ExportRecord = z.output<typeof exportRecord>

/** Names of the master data lists, by slug. */
export const entityNames: Choices = Object.fromEntries(entities.map(({ slug, label }) => [slug, label.many]))

export const listImports = defineList({
  name: 'imports',
  path: '/imports',
  access: 'settings-imports-view',
  summary: 'Imports, one’s own or with the right to the audit log everybody’s, newest first',
  words: { title: 'staff-titles:settings-imports' },
  row: importRecord.extend({
    /** Rows in the file, or read so far. */
    rowCount: z.int(),
    wrong: z.int(),
  }),
  columns: {
    fileName: { word: 'transfer:import.fileColumn' },
    entity: { word: 'transfer:import.entity', words: entityNames, sort: true },
    status: { word: 'transfer:import.statusLabel', words: 'transfer:import.status' },
    rowCount: { word: 'transfer:import.rows', kind: 'number' },
    wrong: { word: 'transfer:import.count.wrong', kind: 'number' },
    accountName: { word: 'transfer:import.who', sort: true },
    createdAt: { word: 'transfer:import.when', kind: 'dateTime', sort: true },
  },
  filters: {
    status: { values: importStatuses, word: 'transfer:import.statusLabel', words: 'transfer:import.status' },
    entity: { kind: 'text', most: 60, word: 'transfer:import.entity' },
  },
  order: '-createdAt',
})

export const listImportProblems = defineList({
  name: 'import-problems',
  path: '/imports/:id/problems',
  access: 'signed-in',
  summary: 'What is wrong with the rows of an import, in the order of the file',
  params: z.object({ id: z.uuid() }),
  words: { title: 'transfer:import.problems', columns: 'transfer:import.problem' },
  row: importProblem.extend({
    /** Heading, otherwise the field's name. */
    column: z.string().nullable(),
  }),
  columns: {
    row: { kind: 'number', sort: true },
    level: { words: 'transfer:import.problemLevel' },
    column: {},
    value: {},
    reason: {},
  },
  filters: {
    level: { values: problemLevels, word: 'transfer:import.problem.level', words: 'transfer:import.problemLevel' },
    field: { kind: 'text', most: 60, word: 'transfer:import.problem.column' },
  },
  order: 'row',
  orderNames: { number: 'row', '-number': '-row' },
})

export const listExports = defineList({
  name: 'exports',
  path: '/exports',
  access: 'audit-view',
  summary: 'Register of exports: who took which rows out, with the filter used',
  words: { title: 'transfer:register.title', columns: 'transfer:register' },
  row: exportRecord,
  columns: {
    title: { word: 'transfer:register.list', sort: true },
    accountName: { sort: true },
    filterWords: {},
    format: { words: 'transfer:exports.formats' },
    rows: { kind: 'number', sort: true },
    status: { words: 'transfer:exports.status' },
    startedAt: { kind: 'dateTime', sort: true },
    roleName: { hidden: true },
    bytes: { word: 'transfer:exports.size', kind: 'number', hidden: true },
    ip: { hidden: true },
  },
  filters: {
    /** Only for pages: in the file endpoint the parameter of this name is the file format. */
    format: { values: exportFormats, word: 'transfer:exports.format', words: 'transfer:exports.formats' },
    status: { values: exportStatuses, word: 'transfer:exports.statusLabel', words: 'transfer:exports.status' },
    accountId: { kind: 'id', table: 'accounts', word: 'transfer:exports.who' },
    from: { kind: 'day', word: 'transfer:exports.from' },
    to: { kind: 'day', word: 'transfer:exports.to' },
  },
  order: '-startedAt',
  orderNames: { list: 'title', '-list': '-title' },
})
