import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { type ReportSlug, reportNames, reportSlugs } from '#domain/reports/report-names.ts'
import { time } from '#entities/define/answer-time.ts'
import type { Localized } from '#entities/define/language.ts'
import { capitalised } from '#entities/define/language.ts'

/** Names of the reports, for lists. */
export const reportTitles = Object.fromEntries(
  reportSlugs.map((slug) => [slug, { en: capitalised(reportNames[slug].en), id: capitalised(reportNames[slug].id) }]),
) as Record<ReportSlug, Localized>

export const mailStates = ['active', 'paused'] as const
/**
 * Outcome of the last sending: `none` before the first, `waiting` while under way, `empty` if every recipient's report
 * was empty and skipped, `refused` or `failed` if that happened for any recipient.
 */
export const mailOutcomes = ['none', 'waiting', 'sent', 'empty', 'refused', 'failed'] as const

const mailRow = z.object({
  id: z.uuid(),
  name: z.string(),
  report: z.string(),
  /** The rhythm in words. */
  schedule: z.string(),
  format: z.string(),
  recipients: z.int(),
  nextDueAt: time.nullable(),
  lastAt: time.nullable(),
  outcome: z.enum(mailOutcomes),
  state: z.enum(mailStates),
  version: z.int(),
})
export type ReportMailRow = z.output<typeof mailRow>

export const listReportMails = defineList({
  name: 'report-mails',
  path: '/report-mails',
  access: 'signed-in',
  summary: 'Reports that the reader has sent by mail',
  words: { title: 'staff-titles:laporan-kiriman', columns: 'report-mail:column', filters: 'report-mail:column' },
  row: mailRow,
  columns: {
    name: { sort: true },
    report: { words: reportTitles, sort: true },
    schedule: {},
    recipients: { kind: 'number' },
    format: { hidden: true, words: 'report-mail:format' },
    nextDueAt: { kind: 'dateTime', sort: true, absent: 'report-mail:state.paused' },
    lastAt: { kind: 'dateTime', sort: true, absent: 'report-mail:never' },
    outcome: { words: 'report-mail:outcome' },
    state: { words: 'report-mail:state', hidden: true },
  },
  filters: {
    outcome: { values: mailOutcomes, words: 'report-mail:outcome', quick: true },
    state: { values: mailStates, words: 'report-mail:state' },
    report: { values: reportSlugs, words: reportTitles },
  },
  order: 'name',
})

export const runStates = ['waiting', 'sent', 'empty', 'refused', 'failed'] as const

const runRow = z.object({
  id: z.uuid(),
  dueAt: time,
  recipient: z.string(),
  state: z.enum(runStates),
  /** Why nothing was sent, in the reader's language. */
  reason: z.string().nullable(),
  rows: z.int().nullable(),
  byHand: z.boolean(),
  finishedAt: time.nullable(),
})

export const listReportMailRuns = defineList({
  name: 'report-mail-runs',
  path: '/report-mails/:id/runs',
  access: 'signed-in',
  summary: 'What each recipient of an own scheduled mail got, newest first',
  params: z.object({ id: z.uuid() }),
  words: { title: 'report-mail:runs.title', columns: 'report-mail:column', filters: 'report-mail:column' },
  row: runRow,
  columns: {
    recipient: { sort: true },
    dueAt: { kind: 'dateTime', sort: true },
    state: { word: 'report-mail:column.runState', words: 'report-mail:runState' },
    reason: {},
    rows: { kind: 'number' },
    byHand: { kind: 'yesNo', hidden: true },
    finishedAt: { kind: 'dateTime', hidden: true },
  },
  filters: {
    state: { word: 'report-mail:column.runState', values: runStates, words: 'report-mail:runState', quick: true },
  },
  order: '-dueAt',
})
