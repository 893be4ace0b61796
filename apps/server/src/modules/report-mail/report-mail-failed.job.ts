import { z } from 'zod'
import { mailFailed, noLongerAllowed } from '#server/modules/messaging/handovers/advance-messages.ts'
import { discardFile } from '#server/platform/files/stored-files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { noteNotArrived } from '#server/platform/sheets/send-export.ts'
import { sendReportMailJob } from './send-report-mail.job.ts'
import { findReaders } from './who-gets-it.ts'

/**
 * Stores in the run and the register of exports that the mail server refused a report, then fails, so that the failed
 * jobs list it too. Run again by staff, it starts the run again: the recipient's role may have been limited since.
 */
export const reportMailFailedJob = defineJob({
  name: 'report-mail-failed',
  on: mailFailed,
  when: ({ event }) => event === 'report-mail' || event === 'report-mail-link',
  maxAttempts: 1,
  data: z.object({ messageId: z.uuid(), event: z.string() }),
  async run(services, { messageId }) {
    const problem = await noteFailure(services, messageId)
    if (problem) throw new Error(problem)
    await makeAgain(services, messageId)
  },
})

/** The mail server's words; undefined if nothing failed or the failure is already stored. */
const noteFailure = ({ db, clock }: Services, messageId: string) =>
  db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom('reportMailRuns as x')
      .innerJoin('reportMails as m', 'm.id', 'x.mailId')
      .innerJoin('messages as g', 'g.id', 'x.messageId')
      .select(['x.id', 'x.mailId', 'x.accountId', 'x.exportId', 'm.ownerId', 'm.report', 'g.error'])
      .where('x.messageId', '=', messageId)
      .where('x.state', '=', 'handed')
      .where('g.status', '=', 'failed')
      .forUpdate('x')
      .executeTakeFirst()
    if (!run) return undefined
    if (run.exportId) await noteNotArrived(tx, run.exportId)
    const error = run.error ?? 'interrupted'
    const readers = error === noLongerAllowed && (await findReaders(tx, run, clock.now()))
    const reason = readers && ('refusal' in readers ? readers.refusal : 'without_right')
    await tx
      .updateTable('reportMailRuns')
      .set(reason ? { state: 'refused', reason } : { state: 'failed', error })
      .where('id', '=', run.id)
      .execute()
    return reason ? undefined : error
  })

const makeAgain = (services: Services, messageId: string) =>
  services.db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom('reportMailRuns as x')
      .innerJoin('messages as g', 'g.id', 'x.messageId')
      .select(['x.id', 'g.fileId'])
      .where('x.messageId', '=', messageId)
      .where('x.state', '=', 'failed')
      .forUpdate('x')
      .executeTakeFirst()
    if (!run) return
    if (run.fileId) await discardFile(tx, run.fileId, services.clock.now())
    const anew = {
      state: 'waiting' as const,
      messageId: null,
      exportId: null,
      error: null,
      finishedAt: null,
      attempts: 0,
    }
    await tx.updateTable('reportMailRuns').set(anew).where('id', '=', run.id).execute()
    await services.jobs.enqueue(tx, sendReportMailJob, { runId: run.id })
  })
