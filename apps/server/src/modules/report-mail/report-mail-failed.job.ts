import { z } from 'zod'
import { mailFailed } from '#server/modules/messaging/deliver-message.job.ts'
import { sendMailAgain } from '#server/modules/messaging/notify.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Notes on its run that the mail server refused a report, and fails: so the failed jobs show it as the owner's page does.
 * Run again by a person, it sends the same mail once more.
 */
export const reportMailFailedJob = defineJob({
  name: 'report-mail-failed',
  on: mailFailed,
  when: ({ event }) => event === 'report-mail' || event === 'report-mail-link',
  maxAttempts: 1,
  data: z.object({ messageId: z.uuid(), event: z.string() }),
  async run(services, { messageId }) {
    const failed = await services.db
      .updateTable('reportMailRuns as x')
      .from('messages as m')
      .set((eb) => ({ state: 'failed' as const, error: eb.fn.coalesce('m.error', eb.val('interrupted')) }))
      .whereRef('m.id', '=', 'x.messageId')
      .where('x.messageId', '=', messageId)
      .where('x.state', '=', 'handed')
      .where('m.status', '=', 'failed')
      .returning('x.error')
      .executeTakeFirst()
    if (failed) throw new Error(failed.error ?? 'interrupted')
    await sendAgain(services, messageId)
  },
})

const sendAgain = (services: Services, messageId: string) =>
  services.db.transaction().execute(async (tx) => {
    const run = await tx
      .updateTable('reportMailRuns')
      .set({ state: 'handed', error: null })
      .where('messageId', '=', messageId)
      .where('state', '=', 'failed')
      .returning('id')
      .executeTakeFirst()
    if (run) await sendMailAgain(tx, services, messageId)
  })
