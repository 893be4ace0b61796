import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { problemLevels } from '#domain/transfer/import-status.ts'
import { workbookRecord } from './endpoints.ts'
import { workbookStatuses } from './status.ts'

export const listWorkbookImports = defineList({
  name: 'workbook-imports',
  path: '/workbook/imports',
  access: 'settings-opening-view',
  summary: 'Uploaded workbooks, newest first',
  words: { title: 'workbook:list.title', columns: 'workbook:list' },
  row: workbookRecord.extend({ new: z.int(), changed: z.int() }),
  columns: {
    fileName: {},
    status: { words: 'workbook:status' },
    new: { kind: 'number' },
    changed: { kind: 'number' },
    problems: { kind: 'number' },
    accountName: {},
    createdAt: { kind: 'dateTime', sort: true },
  },
  filters: { status: { values: workbookStatuses, word: 'workbook:list.status', words: 'workbook:status' } },
  order: '-createdAt',
})

export const listWorkbookProblems = defineList({
  name: 'workbook-problems',
  path: '/workbook/imports/:id/problems',
  access: 'settings-opening-view',
  summary: 'What is wrong in an uploaded workbook and what would be right, in the order of its sheets',
  params: z.object({ id: z.uuid() }),
  words: { title: 'workbook:problems.title', columns: 'workbook:problems' },
  row: z.object({
    number: z.int(),
    level: z.enum(problemLevels),
    sheet: z.string(),
    row: z.int().nullable(),
    /** Column letter. */
    letter: z.string().nullable(),
    header: z.string().nullable(),
    value: z.string().nullable(),
    reason: z.string(),
  }),
  columns: {
    level: { words: 'transfer:import.problemLevel' },
    sheet: { sort: true },
    row: { kind: 'number' },
    letter: {},
    header: {},
    value: {},
    reason: { width: 60 },
  },
  order: 'sheet',
})
