import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { workbookFailures, workbookStatuses } from './status.ts'

const sheetCounts = z.object({
  slug: z.string(),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  /** Rows with a problem. */
  wrong: z.int(),
  /** Rows that refer to a row with a problem. */
  waiting: z.int(),
})
export type SheetCounts = z.output<typeof sheetCounts>

export const workbookRecord = z.object({
  id: z.uuid(),
  accountId: z.uuid(),
  accountName: z.string(),
  fileName: z.string(),
  /** Whether the uploaded file still exists. */
  hasFile: z.boolean(),
  bytes: z.int(),
  status: z.enum(workbookStatuses),
  failure: z.enum(workbookFailures).nullable(),
  sheets: z.array(sheetCounts),
  /** Rows of all sheets. */
  rows: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), wrong: z.int(), waiting: z.int() }),
  problems: z.int(),
  warnings: z.int(),
  createdAt: time,
  finishedAt: time.nullable(),
  undoneAt: time.nullable(),
  undoneBy: z.string().nullable(),
})
export type WorkbookRecord = z.output<typeof workbookRecord>

const recordAnswer = z.object({ data: workbookRecord })
const byId = z.object({ id: z.uuid() })

export const downloadWorkbook = endpoint({
  method: 'GET',
  path: '/workbook',
  access: 'settings-opening-view',
  summary:
    'A workbook with a sheet per thing, with explanations, examples and allowed values; empty or with present data',
  query: z.strictObject({ content: z.enum(['empty', 'data']).default('empty') }),
  response: z.any(),
})

export const uploadWorkbook = endpoint({
  method: 'POST',
  path: '/workbook/imports',
  access: 'settings-opening-update',
  summary: 'Send a workbook (multipart, XLSX up to 30 MB) to be checked; nothing is written yet',
  upload: true,
  response: recordAnswer,
})

export const readWorkbookImport = endpoint({
  method: 'GET',
  path: '/workbook/imports/:id',
  access: 'settings-opening-view',
  summary: 'One uploaded workbook: what it would add and change, sheet by sheet, or what it wrote',
  params: byId,
  response: recordAnswer,
})

export const downloadWorkbookFile = endpoint({
  method: 'GET',
  path: '/workbook/imports/:id/file',
  access: 'settings-opening-view',
  summary: 'The workbook as it was sent',
  params: byId,
  response: z.any(),
})

export const runWorkbookImport = endpoint({
  method: 'POST',
  path: '/workbook/imports/:id/run',
  access: 'settings-opening-update',
  summary: 'Write a checked workbook, all of it or nothing; once, however often it is asked for',
  params: byId,
  response: recordAnswer,
})

export const discardWorkbookImport = endpoint({
  method: 'POST',
  path: '/workbook/imports/:id/discard',
  access: 'settings-opening-update',
  summary: 'Remove an uploaded workbook that has written nothing, with its file and its problems',
  params: byId,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const readWorkbookUndo = endpoint({
  method: 'GET',
  path: '/workbook/imports/:id/undo',
  access: 'settings-opening-update',
  summary: 'What taking a written workbook back would delete and restore, and every reason against it',
  params: byId,
  response: z.object({
    data: z.object({
      /** Added rows to be deleted, and changed rows to get their former values back. */
      deleted: z.int(),
      restored: z.int(),
      /** Added rows that were edited since. */
      editedSince: z.int(),
      reasons: z.array(z.object({ sheet: z.string(), row: z.string(), reason: z.string() })),
    }),
  }),
})

export const undoWorkbookImport = endpoint({
  method: 'DELETE',
  path: '/workbook/imports/:id',
  access: 'settings-opening-update',
  summary: 'Take a written workbook back whole; refused with every reason while something uses its rows',
  params: byId,
  response: recordAnswer,
})
