import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { importFailures, importStatuses } from './import-status.ts'

const importColumns = z.object({
  /** Columns of the file in order, each with the field it maps to. */
  found: z.array(z.object({ header: z.string(), key: z.string() })),
  unknown: z.array(z.string()),
  /** Keys of required fields without a column. */
  missing: z.array(z.string()),
})

export const importRecord = z.object({
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
  warnings: z.number(),
  createdAt: time,
  checkedAt: time.nullable(),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
})
export type ImportRecord = z.output<typeof importRecord>

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

export const readImport = endpoint({
  method: 'GET',
  path: '/imports/:id',
  access: 'signed-in',
  summary: 'One import: how far it is, what it found and what it wrote',
  params: byId,
  response: importAnswer,
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
