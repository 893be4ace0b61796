import { type Selectable, sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { ChatHappening, ChatTeam, chatAuthors, chatKinds } from '#domain/chat/chat.ts'
import type { ChatEvent } from '#domain/chat/endpoints.ts'
import { addOfficeMinutes, officeHoursOf } from '#domain/chat/office-hours.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'

export type ConversationRow = Selectable<Database['conversations']>
export type MessageRow = Selectable<Database['chatMessages']>

export type NewMessage = {
  /** Chosen by the sender's device. */
  id: string
  author: (typeof chatAuthors)[number]
  authorId: string | null
  kind: (typeof chatKinds)[number]
  body?: string
  data?: object
  fileId?: string
  /** The WhatsApp message that brought it. */
  whatsappId?: string
  /** The queued message that takes it to the person by WhatsApp. */
  messageId?: string
  /** Last message that the writer of an answer had seen; without it they saw all. */
  seenSeq?: number | undefined
}

export const findMessage = (tx: Db, id: string) =>
  tx.selectFrom('chatMessages').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * The message that was stored before under the id of a repeated sending; 409 if the id belongs to a message of another
 * conversation or author.
 */
export async function findRepeated(tx: Db, conversationId: string, id: string, authorId: string | null) {
  const stored = await findMessage(tx, id)
  if (stored && (stored.conversationId !== conversationId || stored.authorId !== authorId))
    throw conflict('already_exists')
  return stored
}

/**
 * Adds a message to a conversation whose row the caller has locked, under the next number. A person's message begins the
 * clock of the answer and opens a closed conversation; an answer ends it, unless it crossed another question.
 */
export async function appendMessage(
  tx: Tx,
  conversation: ConversationRow,
  message: NewMessage,
  now: Date,
): Promise<MessageRow> {
  const { id: conversationId, kind: conversationKind } = conversation
  const isPublic = message.kind !== 'note' && message.kind !== 'event'
  const seq = conversation.lastSeq + 1
  const publicSeq = isPublic ? conversation.lastPublicSeq + 1 : null
  const change =
    conversationKind === 'room' || !isPublic
      ? {}
      : message.author === 'person'
        ? {
            state: 'open' as const,
            waitingSince: conversation.waitingSince ?? now,
            dueAt: conversation.dueAt ?? (await dueAtOf(tx, now)),
          }
        : await clockAfter(tx, conversation, message.seenSeq)
  const updated = { lastSeq: seq, ...(isPublic && { lastPublicSeq: publicSeq!, lastMessageAt: now }), ...change }
  await tx.updateTable('conversations').set(updated).where('id', '=', conversationId).execute()
  Object.assign(conversation, updated)
  const row = await tx
    .insertInto('chatMessages')
    .values({
      conversationId,
      seq,
      publicSeq,
      id: message.id,
      author: message.author,
      authorId: message.authorId,
      kind: message.kind,
      body: message.body ?? '',
      data: message.data ? JSON.stringify(message.data) : null,
      fileId: message.fileId ?? null,
      whatsappId: message.whatsappId ?? null,
      messageId: message.messageId ?? null,
      at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEvent(tx, { conversationId, kind: 'message', seq, publicSeq, accountId: message.authorId }, now)
  return row
}

/** Notes for the staff what happened to a conversation that the caller has locked. */
export const appendHappening = (
  tx: Tx,
  conversation: ConversationRow,
  happening: ChatHappening,
  { by, detail = null, team }: { by: string | null; detail?: string | null; team?: ChatTeam | undefined },
  now: Date,
) =>
  appendMessage(
    tx,
    conversation,
    {
      id: crypto.randomUUID(),
      author: 'system',
      authorId: by,
      kind: 'event',
      data: { happening, detail, team },
    },
    now,
  )

/** The clock after an answer: that of the first question beyond `seenSeq`. It never begins or moves back. */
async function clockAfter(tx: Tx, { id, waitingSince, dueAt }: ConversationRow, seenSeq: number | undefined) {
  if (waitingSince === null || seenSeq === undefined) return clockFrom(tx, null)
  // Whoever handed over since says that there is more to do.
  if (await isHandedOverAfter(tx, id, seenSeq)) return { waitingSince, dueAt }
  const unseen = await tx
    .selectFrom('chatMessages')
    .select('at')
    .where('conversationId', '=', id)
    .where('seq', '>', seenSeq)
    .where('at', '>=', waitingSince)
    .where('author', '=', 'person')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return clockFrom(tx, unseen?.at ?? null)
}

/** Whether staff handed a conversation over, to a colleague or to a queue, after a message. */
export async function isHandedOverAfter(tx: Tx, conversationId: string, seq: number): Promise<boolean> {
  // What comes back because somebody went off work names that agent.
  const { rows } = await sql`SELECT FROM chat_messages WHERE conversation_id = ${conversationId} AND seq > ${seq}
    AND kind = 'event' AND author_id IS NOT NULL AND (data->>'happening' = 'handed_over'
      OR data->>'happening' = 'returned' AND data->>'detail' IS NULL) LIMIT 1`.execute(tx)
  return rows.length > 0
}

/** Since when a person waits, and when an answer is due; both null for nobody who waits. */
export const clockFrom = async (tx: Db, waitingSince: Date | null) => ({
  waitingSince,
  dueAt: waitingSince && (await dueAtOf(tx, waitingSince)),
})

async function dueAtOf(tx: Db, now: Date) {
  const settings = await getSettings(tx)
  return addOfficeMinutes(officeHoursOf(settings), universityCalendar(), now, settings.chatAnswerMinutes)
}

type Event = {
  conversationId: string
  kind: ChatEvent['kind']
  seq?: number | null
  publicSeq?: number | null
  accountId?: string | null
}

/** Wakes the streams once the transaction is committed: every process reads the journal. */
export const recordEvent = (tx: Db, { conversationId, kind, seq, publicSeq, accountId }: Event, now: Date) =>
  sql`INSERT INTO chat_events (conversation_id, kind, seq, public_seq, account_id, at)
    VALUES (${conversationId}, ${kind}, ${seq ?? null}, ${publicSeq ?? null}, ${accountId ?? null}, ${now})`.execute(tx)
