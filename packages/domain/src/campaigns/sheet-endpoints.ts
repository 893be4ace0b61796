import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'

const byId = z.object({ id: z.uuid() })
const access = 'kirim-informasi-file-excel'

export const sheetProblems = [
  'phone_invalid',
  'email_invalid',
  'no_address',
  'phone_repeated',
  'email_repeated',
  'language_unknown',
  'value_too_long',
  'formula_error',
  'cells_wrong',
  'number_cut',
  'zeros_lost',
] as const

const sheet = z.object({
  id: z.uuid(),
  fileName: z.string(),
  columns: z.array(z.string()),
  phoneColumn: z.string().nullable(),
  emailColumn: z.string().nullable(),
  nameColumn: z.string().nullable(),
  languageColumn: z.string().nullable(),
  rows: z.int(),
  /** Number of rows with a problem. */
  problems: z.int(),
  /**
   * Number of invalid rows, which get no message. A repeated address does not make a row invalid if the row's other
   * address is new.
   */
  invalid: z.int(),
  /** Sentences about hidden rows, and about rows above the headings. */
  notes: z.array(z.string()),
  /** Values of the first rows, by heading. */
  sample: z.array(z.record(z.string(), z.string())),
  createdAt: time,
})
export type CampaignSheet = z.output<typeof sheet>
const answer = z.object({ data: sheet })

export const uploadSheet = endpoint({
  method: 'POST',
  path: '/kirim-informasi/sheets',
  access,
  summary: 'Read a spreadsheet (XLSX or CSV) with one person per row; its headings become placeholders',
  upload: true,
  response: answer,
})

export const readSheet = endpoint({
  method: 'GET',
  path: '/kirim-informasi/sheets/:id',
  access,
  summary: 'A spreadsheet that was read, with its first rows',
  params: byId,
  response: answer,
})

export const assignSheetColumns = endpoint({
  method: 'PUT',
  path: '/kirim-informasi/sheets/:id',
  access,
  summary: 'Say which columns hold phone, e-mail, name and language; every row is judged again',
  params: byId,
  body: z.strictObject({
    phoneColumn: z.string().max(200).nullable(),
    emailColumn: z.string().max(200).nullable(),
    nameColumn: z.string().max(200).nullable(),
    languageColumn: z.string().max(200).nullable(),
  }),
  response: answer,
})

export const listSheetProblems = endpoint({
  method: 'GET',
  path: '/kirim-informasi/sheets/:id/problems',
  access,
  summary: 'Rows with problems, each with all of them; a repeated address beside another one is sent to all the same',
  params: byId,
  query: z.strictObject({
    page: z.coerce.number().int().min(1).max(10_000).default(1),
    per_page: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    data: z.array(
      z.object({
        number: z.int(),
        name: z.string().nullable(),
        problems: z.array(
          z.object({ column: z.string().nullable(), code: z.enum(sheetProblems), value: z.string().nullable() }),
        ),
      }),
    ),
    meta: z.object({ total: z.int(), total_is_estimate: z.boolean(), next: z.string().nullable() }),
  }),
})

export const downloadSheetProblems = endpoint({
  method: 'GET',
  path: '/kirim-informasi/sheets/:id/problems/export',
  access,
  summary: 'The rows that are not sent to as CSV, with every column of the file and the problems in words',
  params: byId,
  response: z.any(),
})
