import { z } from 'zod'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import { discardFile, getFile } from '#server/platform/files/stored-files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { isPermanentMailFailure, type MailFile } from '#server/platform/mail.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { Services } from '#server/platform/services.ts'
import { composeMail } from './compose-mail.ts'

/** With the delays between them, nine attempts take about an hour. */
const maxAttempts = 9

/** Sends a queued mail. A failure repeats the job after a growing delay, until the message fails. */
export const deliverMessageJob = defineJob({
  name: 'deliver-message',
  maxAttempts,
  // A job mostly waits for the mail server.
  concurrency: 4,
  data: z.object({ messageId: z.uuid() }),
  async run(services, { messageId }) {
    const { db, mail, clock, log } = services
    const message = await db
      .updateTable('messages')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', '=', messageId)
      .where('channel', '=', 'email')
      .where('status', '=', 'queued')
      .returningAll()
      .executeTakeFirst()
    if (!message?.toAddress) return
    if (message.needsPermission && !(await mayStillRead(services, message.accountId, message.needsPermission)))
      return db.transaction().execute(async (tx) => {
        await tx
          .updateTable('messages')
          .set({ status: 'failed', error: noLongerAllowed })
          .where('id', '=', messageId)
          .execute()
        if (message.fileId) await discardFile(tx, message.fileId, clock.now())
        await services.jobs.publish(tx, mailFailed, { messageId, event: message.event })
      })
    try {
      const { text, html } = await composeMail(db, message)
      const file = message.fileId ? await readAttachment(services, message.fileId) : undefined
      await mail.send({ to: message.toAddress, subject: message.subject, text, html, messageId, ...(file && { file }) })
    } catch (error) {
      const isGivenUp = isPermanentMailFailure(error) || message.attempts >= maxAttempts
      const problem = cutText(String((error as Error).message), 300)
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('messages')
          .set({ error: problem, ...(isGivenUp && { status: 'failed' as const }) })
          .where('id', '=', messageId)
          .execute()
        if (isGivenUp) await services.jobs.publish(tx, mailFailed, { messageId, event: message.event })
      })
      if (!isGivenUp) throw error
      log.warn({ messageId }, 'mail was given up')
      return
    }
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('messages')
        .set({ status: 'sent', sentAt: clock.now(), error: null })
        .where('id', '=', messageId)
        .where('status', '=', 'queued')
        .execute()
      // A file that has arrived is not needed here; the built-in outbox is where mails arrive.
      if (message.fileId && mail.kind === 'smtp') await discardFile(tx, message.fileId, clock.now())
    })
  },
})

/** Event of a mail that is not tried again: `{ messageId, event }`. */
export const mailFailed = 'mail-failed'

/** Error of a mail whose account lost the permission before the mail left. */
export const noLongerAllowed = 'no_longer_allowed'

const mayStillRead = async ({ db, clock }: Services, accountId: string | null, permission: string) =>
  accountId !== null && ((await findActorOf(db, accountId, clock.now()))?.permissions.has(permission) ?? false)

async function readAttachment({ db, files }: Services, fileId: string): Promise<MailFile> {
  const { name, mime, storageKey } = await getFile(db, fileId)
  return { name, mime, bytes: await files.bytes(storageKey) }
}
