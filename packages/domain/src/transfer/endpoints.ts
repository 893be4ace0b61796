import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { defineList } from '#domain/list.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Choices } from '#entities/define/field.ts'
import { entities } from '#entities/index.ts'
import { importFailures, importStatuses } from './import-status.ts'

const importColumns = z.object({
  /** Columns of the file in order, each with the field it maps to. */
  found: z.array(z.object({ header: z.string(), key: z.string() })),
  unknown: z.array(z.string()),
  /** Keys of required fields without a column. */
  missing: z.array(z.string()),
})

const importRecord = z.object({
  id: z.uuid(),
  entity: z.string(),
  parentId: z.uuid().nullable(),
  parentTitle: z.string().nullable(),
  accountId: z.uuid(),
  accountName: z.string(),
  fileName: z.string(),
  /** Whether the uploaded file still exists. */
  hasFile: z.boolean(),
  format: z.enum(['xlsx', 'csv']),
  bytes: z.number(),
  profile: z.string().nullable(),
  status: z.enum(importStatuses),
  failure: z.enum(importFailures).nullable(),
  cancelRequested: z.boolean(),
  percent: z.number(),
  columns: importColumns,
  rows: z.object({
    total: z.number().nullable(),
    done: z.number(),
    new: z.number(),
    changed: z.number(),
    unchanged: z.number(),
    wrong: z.number(),
  }),
  problems: z.number(),
  createdAt: z.string(),
  checkedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})
export type ImportRecord = z.output<typeof importRecord>

const importProblem = z.object({
  number: z.int(),
  row: z.int(),
  field: z.string().nullable(),
  header: z.string().nullable(),
  value: z.string().nullable(),
  reason: z.string(),
})
export type ImportProblem = z.output<typeof importProblem>

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
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
})
export type ExportRecord = z.output<typeof exportRecord>

/** Names of the master data lists, by slug. */
export const entityNames: Choices = Object.fromEntries(entities.map(({ slug, label }) => [slug, label.many]))

const importAnswer = z.object({ data: importRecord })
const byId = z.object({ id: z.uuid() })

/** Import endpoints of an entity. */
export function importEndpointsOf(entity: Entity) {
  const nouns = entity.label.many.en.toLowerCase()
  return {
    template: endpoint({
      method: 'GET',
      path: `/master/${entity.slug}/template`,
      access: permissionOf(entity, 'create'),
      summary: `An empty sheet for ${nouns} that explains its columns`,
      query: z.strictObject({ format: z.enum(['xlsx', 'csv']).default('xlsx') }),
      response: z.any(),
    }),
    upload: endpoint({
      method: 'POST',
      path: `/master/${entity.slug}/imports`,
      access: permissionOf(entity, 'create'),
      summary: `Send a sheet of ${nouns} (multipart, XLSX or CSV up to 30 MB) to be checked; nothing is written yet`,
      upload: true,
      query: z.strictObject({ parentId: z.uuid().optional() }),
      response: importAnswer,
    }),
  }
}

export const listImports = defineList({
  name: 'imports',
  path: '/imports',
  access: 'settings-imports-view',
  summary: 'Imports, one’s own or with the right to the audit log everybody’s, newest first',
  words: { title: 'titles:settings-imports' },
  row: importRecord.extend({
    /** Rows of the file, or the rows read so far. */
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

export const readImport = endpoint({
  method: 'GET',
  path: '/imports/:id',
  access: 'signed-in',
  summary: 'One import: how far it is, what it found and what it wrote',
  params: byId,
  response: importAnswer,
})

export const listImportProblems = defineList({
  name: 'import-problems',
  path: '/imports/:id/problems',
  access: 'signed-in',
  summary: 'What is wrong with the rows of an import, in the order of the file',
  params: byId,
  words: { title: 'transfer:import.problems', columns: 'transfer:import.problem' },
  row: importProblem.extend({
    /** Heading of the column, or else the field name. */
    column: z.string().nullable(),
  }),
  columns: {
    row: { kind: 'number', sort: true },
    column: {},
    value: {},
    reason: {},
  },
  filters: { field: { kind: 'text', most: 60, word: 'transfer:import.problem.column' } },
  order: 'row',
  orderNames: { number: 'row', '-number': '-row' },
})

export const downloadProblemRows = endpoint({
  method: 'GET',
  path: '/imports/:id/problem-rows',
  access: 'signed-in',
  summary: 'The rows that have problems as they were sent, with their reasons, as CSV',
  params: byId,
  response: z.any(),
})

export const downloadImportFile = endpoint({
  method: 'GET',
  path: '/imports/:id/file',
  access: 'signed-in',
  summary: 'The file as it was sent',
  params: byId,
  response: z.any(),
})

export const checkImport = endpoint({
  method: 'POST',
  path: '/imports/:id/check',
  access: 'signed-in',
  summary: 'Check the same file again, after something it points to was added',
  params: byId,
  response: importAnswer,
})

export const runImport = endpoint({
  method: 'POST',
  path: '/imports/:id/run',
  access: 'signed-in',
  summary: 'Write a checked import, all of it or nothing; once, however often it is asked for',
  params: byId,
  response: importAnswer,
})

export const cancelImport = endpoint({
  method: 'POST',
  path: '/imports/:id/cancel',
  access: 'signed-in',
  summary: 'Stop an import; what it has written so far is taken back',
  params: byId,
  response: importAnswer,
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
    /** Filter of the pages only: a file's own `format` parameter has the same name. */
    format: { values: exportFormats, word: 'transfer:exports.format', words: 'transfer:exports.formats' },
    status: { values: exportStatuses, word: 'transfer:exports.statusLabel', words: 'transfer:exports.status' },
    accountId: { kind: 'id', word: 'transfer:exports.who' },
    from: { kind: 'day', word: 'transfer:exports.from' },
    to: { kind: 'day', word: 'transfer:exports.to' },
  },
  order: '-startedAt',
  orderNames: { list: 'title', '-list': '-title' },
})
