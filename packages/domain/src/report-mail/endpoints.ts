import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { oneLinePattern } from '#entities/define/one-line.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { rhythms } from './rhythm.ts'

/** A longer sheet is not attached; the mail links to the report instead. */
export const mostRowsInMail = 2_000

export const mailFormats = ['xlsx', 'csv', 'pdf'] as const
const params = z.object({ id: z.uuid() })
const report = z.enum(reportSlugs as [(typeof reportSlugs)[number], ...(typeof reportSlugs)[number][]])

const fields = {
  /** Subject of the mails. */
  name: typedText().min(1).max(120).regex(oneLinePattern),
  rhythm: z.enum(rhythms),
  /** 1 is Monday; only for a weekly mail. */
  weekday: z.int().min(1).max(7).nullable(),
  /** Only for a monthly mail; a month without this day uses its last day. */
  monthDay: z.int().min(1).max(31).nullable(),
  hour: z.int().min(0).max(23),
  format: z.enum(mailFormats),
  skipsEmpty: z.boolean(),
  /** Whole days before the sending, instead of from and to. */
  lastDays: z.int().min(1).max(366).nullable(),
  recipientIds: z.array(z.uuid()).min(1).max(50),
}
type Fields = { rhythm?: string; weekday?: number | null; monthDay?: number | null }

const rules = ({ rhythm, weekday, monthDay }: Fields): Problems => ({
  weekday: rhythm === 'weekly' && weekday === null ? 'field_required' : null,
  monthDay: rhythm === 'monthly' && monthDay === null ? 'field_required' : null,
})

const person = z.object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.string() })
export type MailRecipient = z.output<typeof person>

/** A report's output for a question, in the reader's words. */
const words = z.object({
  shows: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Whether the report has a period, which the last days before sending can replace. */
  takesPeriod: z.boolean(),
})
export type MailWords = z.output<typeof words>

const mail = z.object({
  id: z.uuid(),
  report,
  question: z.string(),
  ...fields,
  ...words.shape,
  recipients: z.array(person),
  active: z.boolean(),
  nextDueAt: time,
  version: z.int(),
})
export type ReportMail = z.output<typeof mail>
const answer = z.object({ data: mail })

export const findMailRecipients = endpoint({
  method: 'GET',
  path: '/report-mails/recipients',
  access: 'signed-in',
  summary:
    'Staff who may open a report and whom the reader knows, with shortened e-mail addresses; 403 without the report',
  query: z.strictObject({ report, q: typedLine().max(100).optional() }),
  response: z.object({ data: z.array(person) }),
})

export const readMailWords = endpoint({
  method: 'GET',
  path: '/report-mails/words',
  access: 'signed-in',
  summary:
    'Filters, groups and columns of a report in words; 403 without the report, 422 for a question it cannot answer',
  query: z.strictObject({
    report,
    question: z.string().max(1000).default(''),
    columns: z.string().max(4000).default(''),
  }),
  response: z.object({ data: words }),
})

export const createReportMail = endpoint({
  method: 'POST',
  path: '/report-mails',
  access: 'signed-in',
  summary: 'Have a report sent by mail every day, week or month; 403 without the report',
  body: z.strictObject({
    ...fields,
    report,
    /** Filters, groups, figure and comparison, as in the report's address. */
    question: z.string().max(1000),
    /** Figures shown on the page; empty for all. */
    columns: z.array(z.string().max(60)).max(60),
  }),
  rules,
  response: answer,
})

export const readReportMail = endpoint({
  method: 'GET',
  path: '/report-mails/:id',
  access: 'signed-in',
  summary: 'A scheduled mail of the reader',
  params,
  response: answer,
})

export const saveReportMail = endpoint({
  method: 'PUT',
  path: '/report-mails/:id',
  access: 'signed-in',
  summary: 'Change rhythm, file and recipients of an own scheduled mail',
  params,
  body: z.strictObject({ ...fields, version: rowVersion }),
  rules,
  response: answer,
})

export const pauseReportMail = endpoint({
  method: 'PUT',
  path: '/report-mails/:id/active',
  access: 'signed-in',
  summary: 'Pause an own scheduled mail, or let it go on from its next moment',
  params,
  body: z.strictObject({ active: z.boolean(), version: rowVersion }),
  response: answer,
})

export const sendReportMail = endpoint({
  method: 'POST',
  path: '/report-mails/:id/send',
  access: 'signed-in',
  summary: 'Send an own scheduled mail now, beside its rhythm; 403 without the report',
  params,
  response: z.object({ data: z.object({ recipients: z.int() }) }),
})

export const deleteReportMail = endpoint({
  method: 'DELETE',
  path: '/report-mails/:id',
  access: 'signed-in',
  summary: 'Delete an own scheduled mail and what is known of its sendings',
  params,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
