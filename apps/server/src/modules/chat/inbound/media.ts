import { sql } from 'kysely'
import { type MediaKind, maxMediaAttempts, type mediaStates } from '#domain/chat/media.ts'
import { retryWaitMs } from '#domain/whatsapp/problems.ts'
import { recordEvent } from '#server/modules/chat/append-message.ts'
import { readMessage } from '#server/modules/chat/read-messages.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { claimFile, type StoredFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'

/** Event: a file has to be fetched from Meta. Payload `{ messageId }`. */
export const mediaWaiting = 'whatsapp.media-waiting'

export type Media = { mediaId: string; kind: MediaKind; name: string | null }

/** Records the file of a `media` message. A job fetches the file after the commit. */
export async function awaitMedia(
  { tx, services: { jobs } }: Omit<Context, 'actor'>,
  messageId: string,
  connectionId: string,
  media: Media,
) {
  await tx
    .insertInto('whatsappMedia')
    .values({ messageId, connectionId, ...media })
    .execute()
  await jobs.publish(tx, mediaWaiting, { messageId })
}

/** Attaches the fetched file to its message, unless the message no longer waits for a file. */
export const storeMedia = ({ db, clock }: Services, messageId: string, file: StoredFile) =>
  db.transaction().execute(async (tx) => {
    await lockConversationOf(tx, messageId)
    const { numDeletedRows } = await tx
      .deleteFrom('whatsappMedia')
      .where('messageId', '=', messageId)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    await claimFile(tx, file)
    await tx.updateTable('chatMessages').set({ kind: 'file', fileId: file.id }).where('id', '=', messageId).execute()
    await wakeStreams(tx, messageId, clock.now())
  })

/** Records a failed fetch. */
export const postponeMedia = (
  { db, clock, jobs }: Services,
  messageId: string,
  // `isFinal`: `refused` is for good, `failed` lasts until staff ask again. `false` retries, and fails after
  // `maxMediaAttempts` attempts.
  { problem, isFinal }: { problem: string; isFinal: 'refused' | 'failed' | false },
) =>
  db.transaction().execute(async (tx) => {
    await lockConversationOf(tx, messageId)
    const { rows } = await sql<{ state: (typeof mediaStates)[number]; attempts: number }>`
      UPDATE whatsapp_media SET problem = ${problem}, attempts = attempts + 1, state = CASE
          WHEN ${isFinal || null}::text IS NOT NULL THEN ${isFinal || null}
          WHEN attempts + 1 >= ${maxMediaAttempts} THEN 'failed' ELSE state END
      WHERE message_id = ${messageId} AND state = 'waiting' RETURNING state, attempts`.execute(tx)
    const media = rows[0]
    if (media?.state === 'waiting') {
      const startAfter = new Date(clock.now().getTime() + retryWaitMs(media.attempts))
      await jobs.publish(tx, mediaWaiting, { messageId }, { startAfter })
    }
    if (media) await wakeStreams(tx, messageId, clock.now())
  })

const lockConversationOf = (tx: Tx, messageId: string) =>
  sql`SELECT FROM conversations WHERE id = (SELECT conversation_id FROM chat_messages WHERE id = ${messageId})
    FOR UPDATE`.execute(tx)

async function wakeStreams(tx: Tx, messageId: string, now: Date) {
  const message = await tx
    .selectFrom('chatMessages')
    .select(['conversationId', 'seq', 'publicSeq'])
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow()
  await recordEvent(tx, { ...message, kind: 'message' }, now)
}

/** Asks Meta again for the file of a message; 409 unless the file's state is `failed`. */
export async function fetchAgain({ db, jobs }: Services, actor: Actor, messageId: string) {
  const { conversationId, seq } = await db.transaction().execute(async (tx) => {
    const message = await tx
      .selectFrom('chatMessages as m')
      .innerJoin('conversations as v', 'v.id', 'm.conversationId')
      .select(['m.conversationId', 'm.seq'])
      .where('m.id', '=', messageId)
      .where(conversationsVisibleTo(actor))
      .executeTakeFirst()
    if (!message) throw notFound('message')
    const { numUpdatedRows } = await tx
      .updateTable('whatsappMedia')
      .set({ state: 'waiting', problem: null, attempts: 0 })
      .where('messageId', '=', messageId)
      .where('state', '=', 'failed')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw conflict('wrong_status')
    await jobs.publish(tx, mediaWaiting, { messageId })
    return message
  })
  return readMessage(db, actor, 'staff', conversationId, seq)
}
