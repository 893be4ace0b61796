import { z } from 'zod'
import { mailFailed, noLongerAllowed } from '#server/modules/messaging/deliver-message.job.ts'
import { sendMailAgain } from '#server/modules/messaging/notify.ts'
import { discardFile } from '#server/platform/files/files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { settleWritten } from '#server/platform/sheets/send-export.ts'
import { findReaders } from './who-gets-it.ts'

/**
 * Notes on its run and in the register of exports that the mail server refused a report, and fails: so the failed jobs show
 * it as the owner's page does. Run again by a person, it sends the same mail once more, if the recipient may still read it.
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
    await sendAgain(services, messageId)
  },
})

/** The words of the mail server; undefined if nothing failed, or the failure was noted before. */
const noteFailure = ({ db, clock }: Services, messageId: string) =>
  db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom('reportMailRuns as x')
      .innerJoin('reportMails as m', 'm.id', 'x.mailId')
      .innerJoin('messages as g', 'g.id', 'x.messageId')
      .select(['x.id', 'x.accountId', 'x.exportId', 'm.ownerId', 'm.report', 'g.error'])
      .where('x.messageId', '=', messageId)
      .where('x.state', '=', 'handed')
      .where('g.status', '=', 'failed')
      .forUpdate('x')
      .executeTakeFirst()
    if (!run) return undefined
    if (run.exportId) await settleWritten(tx, run.exportId, 'failed')
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

const sendAgain = (services: Services, messageId: string) =>
  services.db.transaction().execute(async (tx) => {
    const run = await tx
      .selectFrom('reportMailRuns as x')
      .innerJoin('reportMails as m', 'm.id', 'x.mailId')
      .innerJoin('messages as g', 'g.id', 'x.messageId')
      .select(['x.id', 'x.accountId', 'x.exportId', 'm.ownerId', 'm.report', 'g.fileId'])
      .where('x.messageId', '=', messageId)
      .where('x.state', '=', 'failed')
      .forUpdate('x')
      .executeTakeFirst()
    if (!run) return
    const now = services.clock.now()
    const readers = await findReaders(tx, run, now)
    const refusal = 'refusal' in readers ? readers.refusal : null
    await tx
      .updateTable('reportMailRuns')
      .set({ state: refusal ? 'refused' : 'handed', reason: refusal, error: null, finishedAt: now })
      .where('id', '=', run.id)
      .execute()
    if (refusal) {
      if (run.fileId) await discardFile(tx, run.fileId, now)
      return
    }
    if (run.exportId) await settleWritten(tx, run.exportId, 'done')
    await sendMailAgain(tx, services, messageId)
  })
