import { z } from 'zod'
import { calendarOf } from '#domain/calendar.ts'
import { mostRowsInMail } from '#domain/report-mail/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { sendMail } from '#server/modules/messaging/notify.ts'
import { readReportSheet } from '#server/modules/reports/engine/report-sheet.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { claimFile, storeBytes } from '#server/platform/files/stored-files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { registerWritten, sheetTypes, writeExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { addressOfQuestion, getReport, questionAt } from './mail-question.ts'
import { findReaders, type RefusalReason } from './who-gets-it.ts'

const maxAttempts = 4

/**
 * Runs a report for one recipient with that account's present permissions, and queues the mail. A killed run starts
 * again: nothing is handed over before the transaction that records it. After the last attempt the error stays on the
 * run, and the job is listed among the failed ones, where staff can run it again.
 */
export const sendReportMailJob = defineJob({
  name: 'send-report-mail',
  maxAttempts,
  heartbeatSeconds: 60,
  data: z.object({ runId: z.uuid() }),
  async run(services, { runId }) {
    const run = await beginRun(services, runId)
    if (!run) return
    try {
      await sendRun(services, run)
    } catch (error) {
      const isGivenUp = run.attempts >= maxAttempts
      await services.db
        .updateTable('reportMailRuns')
        .set({
          error: String((error as Error).message).slice(0, 300) || 'unknown',
          ...(isGivenUp && { state: 'failed' as const, finishedAt: services.clock.now() }),
        })
        .where('id', '=', runId)
        .where('state', '=', 'waiting')
        .execute()
      throw error
    }
  },
})

/** Counts an attempt of a run without a message; undefined for other runs. */
async function beginRun({ db }: Services, runId: string) {
  const started = await db
    .updateTable('reportMailRuns')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), state: 'waiting' as const, finishedAt: null }))
    .where('id', '=', runId)
    .where('state', 'in', ['waiting', 'failed'])
    .where('messageId', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!started) return undefined
  return db
    .selectFrom('reportMailRuns as x')
    .innerJoin('reportMails as m', 'm.id', 'x.mailId')
    .select(['x.id', 'x.attempts', 'x.accountId', 'm.id as mailId', 'm.ownerId', 'm.name', 'm.report', 'm.question'])
    .select(['m.columns', 'm.lastDays', 'm.format', 'm.skipsEmpty'])
    .where('x.id', '=', runId)
    .executeTakeFirst()
}
type Run = NonNullable<Awaited<ReturnType<typeof beginRun>>>

async function sendRun(services: Services, run: Run) {
  const { db, clock } = services
  const now = clock.now()
  const readers = await findReaders(db, run, now)
  if ('refusal' in readers) return endRun(services, run, { state: 'refused', reason: readers.refusal })
  const { owner, reader } = readers

  const { timeZone } = await getSettings(db)
  const query = questionAt(run, now, calendarOf(timeZone))
  const { language } = reader
  const sheet = await readReportSheet(
    services,
    getReport(run.report),
    { actor: reader, language, query },
    run.columns,
    mostRowsInMail,
  )
  if (sheet.isEmpty && run.skipsEmpty) return endRun(services, run, { state: 'empty', rows: 0 })
  const words = {
    title: run.name,
    report: sheet.title,
    date: dateTime(sheet.asOf, language, timeZone),
    count: wholeNumber(sheet.count),
    by: owner.name,
  }
  const file =
    sheet.count > mostRowsInMail
      ? undefined
      : await writeExport(services, { ...sheet, format: run.format as 'xlsx' | 'csv' | 'pdf' }, language)
  await handOver(services, run, reader, { words, file, link: addressOfQuestion(run, query), rows: sheet.count, query })
}

type Written = Awaited<ReturnType<typeof writeExport>>
type Handed = { words: Record<string, unknown>; file: Written | undefined; link: string; rows: number; query: object }

/**
 * Stores the file, then hands over mail and file in one transaction with the run. Of two parallel attempts, the second
 * finds the run handed over.
 */
async function handOver(services: Services, run: Run, reader: Actor, { words, file, link, rows, query }: Handed) {
  const { clock } = services
  const stored =
    file &&
    (await storeBytes(services, reader, file.fileName, 'report-mail', {
      bytes: file.bytes,
      mime: sheetTypes[file.format].split(';')[0]!,
      extension: file.format,
    }))
  await inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const firstToHand = await tx
      .updateTable('reportMailRuns')
      .set({ state: 'handed', rows, error: null, finishedAt: clock.now() })
      .where('id', '=', run.id)
      .where('state', '=', 'waiting')
      .returning('id')
      .executeTakeFirst()
    if (!firstToHand) return
    if (stored) await claimFile(tx, stored)
    const exportId =
      file &&
      (await registerWritten(tx, reader, file, {
        filter: { ...query, reportMail: run.mailId },
        now: clock.now(),
        way: sentences(reader.language)('report-mail:registered', words),
      }))
    const messageId = await sendMail(context, {
      to: reader.email,
      language: reader.language,
      accountId: reader.accountId,
      event: stored ? 'report-mail' : 'report-mail-link',
      params: { name: reader.name, ...words },
      link,
      fileId: stored?.id,
      needs: `laporan-${run.report}`,
    })
    await tx
      .updateTable('reportMailRuns')
      .set({ messageId, exportId: exportId ?? null })
      .where('id', '=', run.id)
      .execute()
  })
}

type End = { state: 'refused'; reason: RefusalReason } | { state: 'empty'; rows: 0 }

const endRun = ({ db, clock }: Services, { id }: Run, end: End) =>
  db
    .updateTable('reportMailRuns')
    .set({ ...end, error: null, finishedAt: clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
