import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { ChatTeam } from '#domain/chat/chat.ts'
import { theOnly } from '#domain/must.ts'
import type { Settings } from '#domain/settings/settings.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskPhone } from '#server/platform/access/masks.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { StoredFile } from '#server/platform/files/stored-files.ts'
import { claimFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { appendHappening, appendMessage, findRepeated, type NewMessage, recordEvent } from './append-message.ts'
import { findOfficePhone } from './inbound/office-phone.ts'
import { markRead, unreadAnswers } from './marks.ts'
import { isOfficeOpen, nextOpening, officeHoursOf } from './office-hours.ts'
import { readMessage, readMessages } from './read-messages.ts'

const findOwn = (db: Db, accountId: string) =>
  db.selectFrom('conversations').selectAll().where('accountId', '=', accountId).executeTakeFirst()

/** Locks the account's conversation; creates it if there is none. */
export async function lockConversationOf(tx: Tx, accountId: string, now: Date) {
  await tx
    .insertInto('conversations')
    .values({ kind: 'person', accountId, createdAt: now })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
  return tx
    .selectFrom('conversations')
    .selectAll()
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function showOwnChat({ db, clock }: Services, { accountId }: Actor) {
  const now = clock.now()
  const [conversation, settings, officePhone] = await Promise.all([
    findOwn(db, accountId),
    getSettings(db),
    findOfficePhone(db),
  ])
  const mark = conversation && (await findMark(db, conversation.id, accountId))
  const lastSeq = conversation?.lastPublicSeq ?? 0
  const proven = conversation?.provenPhone ?? conversation?.provenUserId
  return {
    id: conversation?.id ?? null,
    lastSeq,
    unread: conversation && lastSeq > (mark ?? 0) ? await unreadAnswers(db, conversation.id, mark ?? 0) : 0,
    whatsapp: officePhone ? { phone: proven ? maskPhone(proven) : null } : null,
    hours: describeOffice(settings, now),
  }
}

/** Office hours for the applicant's pages. */
export function describeOffice(settings: Settings, now: Date) {
  const hours = officeHoursOf(settings)
  const open = isOfficeOpen(hours, universityCalendar(), now)
  return {
    ...hours,
    days: [...hours.days],
    open,
    opensAt: open ? null : nextOpening(hours, universityCalendar(), now),
    answerMinutes: settings.chatAnswerMinutes,
  }
}

const findMark = async (db: Db, conversationId: string, accountId: string) =>
  (
    await db
      .selectFrom('chatMarks')
      .select('seq')
      .where('conversationId', '=', conversationId)
      .where('accountId', '=', accountId)
      .executeTakeFirst()
  )?.seq

const nothing = { data: [], meta: { more: false, lastSeq: 0, personReadSeq: 0, officeReadSeq: 0 } }

export async function showOwnMessages(
  { db }: Services,
  actor: Actor,
  range: { after?: number | undefined; before?: number | undefined },
) {
  const conversation = await findOwn(db, actor.accountId)
  return conversation ? readMessages(db, actor, 'person', conversation, range) : nothing
}

/** Adds a message by an applicant or WhatsApp sender. The caller holds the conversation's lock. */
export async function appendOfPerson(
  tx: Tx,
  conversation: Awaited<ReturnType<typeof lockConversationOf>>,
  message: NewMessage,
  now: Date,
) {
  const wasClosed = conversation.state === 'closed'
  const row = await appendMessage(tx, conversation, message, now)
  if (wasClosed || (conversation.assigneeId && !(await canAnswer(tx, conversation.assigneeId)))) {
    await tx
      .updateTable('conversations')
      .set({ assigneeId: null, assignedAt: null })
      .where('id', '=', conversation.id)
      .execute()
    await appendHappening(tx, conversation, wasClosed ? 'reopened' : 'returned', { by: null }, now)
    await recordEvent(tx, { conversationId: conversation.id, kind: 'state' }, now)
  }
  return row
}

async function canAnswer(tx: Tx, accountId: string) {
  const { rows } = await sql<{ atWork: boolean }>`SELECT EXISTS (SELECT FROM accounts a
      JOIN role_permissions p ON p.role_id = a.role_id AND p.permission = 'private-chat'
      LEFT JOIN chat_agents g ON g.account_id = a.id
    WHERE a.id = ${accountId} AND a.active AND coalesce(g.on_duty, true)) AS at_work`.execute(tx)
  return theOnly(rows).atWork
}

type Content = { id: string; team?: ChatTeam | undefined } & ({ body: string } | { file: StoredFile })

/**
 * Sends an applicant's text or file to the office. A repeated id returns the stored message; 409 if that message is not
 * the applicant's.
 */
export async function sendOwn(services: Services, actor: Actor, content: Content) {
  const { db, clock } = services
  const now = clock.now()
  const { conversationId, publicSeq } = await db.transaction().execute(async (tx) => {
    const conversation = await lockConversationOf(tx, actor.accountId, now)
    const stored = await findRepeated(tx, conversation.id, content.id, actor.accountId)
    if (stored) return stored
    // A message must not move a waiting applicant, or an open conversation with an agent, to another team.
    const begins = conversation.state === 'closed' || conversation.assigneeId === null
    if (content.team && conversation.waitingSince === null && begins)
      await tx.updateTable('conversations').set({ team: content.team }).where('id', '=', conversation.id).execute()
    const message = { id: content.id, author: 'person', authorId: actor.accountId } as const
    if ('file' in content) {
      await claimFile(tx, content.file)
      return appendOfPerson(tx, conversation, { ...message, kind: 'file', fileId: content.file.id }, now)
    }
    return appendOfPerson(tx, conversation, { ...message, kind: 'text', body: content.body }, now)
  })
  return readMessage(db, actor, 'person', conversationId, publicSeq!)
}

export async function markOwn({ db, clock }: Services, { accountId }: Actor, seq: number) {
  const conversation = await findOwn(db, accountId)
  if (!conversation) return { seq: 0 }
  return markRead(
    db,
    { conversationId: conversation.id, accountId, seq, lastSeq: conversation.lastPublicSeq },
    clock.now(),
  )
}

export async function tellOwnIsWriting({ db, clock }: Services, { accountId }: Actor) {
  const conversation = await findOwn(db, accountId)
  if (conversation) await recordEvent(db, { conversationId: conversation.id, kind: 'writing', accountId }, clock.now())
}
