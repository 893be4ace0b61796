import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { appendMessage, type ConversationRow, findRepeated } from '#server/modules/chat/append-message.ts'
import { chatAnswerEvent } from '#server/modules/chat/chat-answer-event.ts'
import { readMessage, readMessages } from '#server/modules/chat/read-messages.ts'
import { queueMessages } from '#server/modules/messaging/handovers/queue-messages.ts'
import { freeTextMs } from '#server/modules/whatsapp/window.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid } from '#server/platform/errors.ts'
import { claimFile, type StoredFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { takeIfFree } from './assign.ts'
import { lockConversation } from './conversation.ts'
import { fillTemplate } from './replies.ts'

type Answer = { id: string; body: string; note: boolean; seenSeq: number; templateId: string | null }

/**
 * Answers an applicant, adds a note, or writes in a room. An answer gets 409 if a colleague answered after message
 * `seenSeq`. The error contains one page of the messages after `seenSeq`.
 */
export async function answer(services: Services, actor: Actor, conversationId: string, sent: Answer) {
  const { db, clock } = services
  const now = clock.now()
  const outcome = await inTransaction(services, actor, async (context) => {
    const { tx } = context
    const conversation = await lockConversation(tx, actor, conversationId)
    const stored = await findRepeated(tx, conversationId, sent.id, actor.accountId)
    if (stored) return stored
    const isAnswer = conversation.kind === 'person' && !sent.note
    if (isAnswer && (await isAnsweredSince(tx, actor, conversationId, sent.seenSeq))) return 'news' as const
    if (sent.note && conversation.kind === 'room') throw invalid({ note: 'invalid_input' })
    const template = sent.templateId && isAnswer ? await fillTemplate(tx, conversation, sent.templateId) : null
    const body = template?.body ?? sent.body
    const messageId = isAnswer ? await queueWhatsapp({ ...context, now }, conversation, { body, template }) : null
    if (isAnswer) await takeIfFree({ tx, actor, now }, conversation, sent.seenSeq)
    return appendMessage(
      tx,
      conversation,
      {
        id: sent.id,
        author: 'staff',
        authorId: actor.accountId,
        kind: sent.note ? 'note' : 'text',
        body,
        ...(messageId && { messageId }),
        seenSeq: sent.seenSeq,
      },
      now,
    )
  })
  if (outcome === 'news') throw await answeredMeanwhile(services, actor, conversationId, sent.seenSeq)
  return readMessage(db, actor, 'staff', conversationId, outcome.seq)
}

/** Whether a colleague answered after message `seenSeq`. */
async function isAnsweredSince(tx: Tx, { accountId }: Actor, conversationId: string, seenSeq: number) {
  const { rows } = await sql<{ news: boolean }>`SELECT EXISTS (SELECT FROM chat_messages
    WHERE conversation_id = ${conversationId} AND seq > ${seenSeq} AND author = 'staff' AND public_seq IS NOT NULL
      AND author_id IS DISTINCT FROM ${accountId}) AS news`.execute(tx)
  return theOnly(rows).news
}

async function answeredMeanwhile(services: Services, actor: Actor, conversationId: string, seenSeq: number) {
  const conversation = await services.db
    .selectFrom('conversations')
    .select(['id', 'lastSeq', 'lastPublicSeq', 'accountId'])
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow()
  const { data } = await readMessages(services.db, actor, 'staff', conversation, { after: seenSeq })
  return new AppError(409, 'chat_answered_meanwhile', {}, undefined, { messages: data })
}

/**
 * Queues the answer for WhatsApp and returns the id of the WhatsApp message, or null if the answer stays in the app.
 * 409 for free text outside WhatsApp's 24-hour window if the recipient has no account.
 */
async function queueWhatsapp(
  context: Omit<Context, 'actor'>,
  conversation: ConversationRow,
  { body, template }: { body: string; template: Awaited<ReturnType<typeof fillTemplate>> | null },
) {
  const { tx, now } = context
  const { whatsappAt, whatsappAddress, whatsappConnectionId, accountId } = conversation
  if (!whatsappAt || !whatsappAddress) return null
  const isOpen = whatsappAt.getTime() + freeTextMs > now.getTime()
  if (!isOpen && !template) {
    if (!accountId) throw conflict('chat_window_closed')
    return null
  }
  const { id } = await tx
    .insertInto('messages')
    .values({
      accountId,
      channel: 'whatsapp',
      toAddress: whatsappAddress,
      event: chatAnswerEvent,
      connectionId: whatsappConnectionId,
      language: template?.language ?? 'id',
      subject: '',
      body,
      createdAt: now,
      ...(template && { providerTemplate: JSON.stringify(template.provider) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await queueMessages(context, [{ id, channel: 'whatsapp', event: chatAnswerEvent, boundTo: whatsappConnectionId }])
  return id
}

/**
 * Sends a file to an applicant or a room. 409 for a WhatsApp sender without an account, or if a colleague answered the
 * applicant after message `seenSeq`.
 */
export async function answerWithFile(
  services: Services,
  actor: Actor,
  conversationId: string,
  { id, file, seenSeq }: { id: string; file: StoredFile; seenSeq: number | undefined },
) {
  const { db, clock } = services
  const now = clock.now()
  const outcome = await db.transaction().execute(async (tx) => {
    const conversation = await lockConversation(tx, actor, conversationId)
    const stored = await findRepeated(tx, conversationId, id, actor.accountId)
    if (stored) return stored
    if (conversation.kind === 'person' && !conversation.accountId) throw conflict('chat_no_files_by_whatsapp')
    if (
      conversation.kind === 'person' &&
      seenSeq !== undefined &&
      (await isAnsweredSince(tx, actor, conversationId, seenSeq))
    )
      return { answeredAfter: seenSeq }
    await claimFile(tx, file)
    await takeIfFree({ tx, actor, now }, conversation, seenSeq)
    return appendMessage(
      tx,
      conversation,
      { id, author: 'staff', authorId: actor.accountId, kind: 'file', fileId: file.id, seenSeq },
      now,
    )
  })
  if ('answeredAfter' in outcome) throw await answeredMeanwhile(services, actor, conversationId, outcome.answeredAfter)
  return readMessage(db, actor, 'staff', conversationId, outcome.seq)
}
