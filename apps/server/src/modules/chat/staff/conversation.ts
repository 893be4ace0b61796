import { sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import type { ConversationRow } from '#server/modules/chat/append-message.ts'
import { unreadBy } from '#server/modules/chat/marks.ts'
import { freeTextMs } from '#server/modules/whatsapp/window.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskPhone } from '#server/platform/access/masks.ts'
import { conversationsVisibleTo, isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { forbidden, notFound } from '#server/platform/errors.ts'

/** Returns the actor if they are staff. 403 for applicants, who hold `private-chat` for their own conversation. */
export function requireOffice(actor: Actor): Actor {
  if (isApplicant(actor)) throw forbidden('private-chat')
  return actor
}

type Found = ConversationRow & {
  personName: string | null
  personPhone: string | null
  language: Language | null
  assigneeName: string | null
  unread: number
}

const select = (db: Db, actor: Actor) =>
  db
    .selectFrom('conversations as v')
    .leftJoin('accounts as p', 'p.id', 'v.accountId')
    .leftJoin('accounts as w', 'w.id', 'v.assigneeId')
    .leftJoin('chatMarks as k', (join) =>
      join.onRef('k.conversationId', '=', 'v.id').on('k.accountId', '=', actor.accountId),
    )
    .selectAll('v')
    .select([
      'p.name as personName',
      'p.phone as personPhone',
      'p.language',
      'w.name as assigneeName',
      unreadBy(actor.accountId).as('unread'),
    ])
    .where(conversationsVisibleTo(actor))

type Named = {
  personName?: string | null | undefined
  name: string | null
  phone: string | null
  userId: string | null
}

/**
 * Name of a conversation, for staff screens and WhatsApp templates. Without a name, “WhatsApp” and the last four
 * characters of the number or user id.
 */
export const nameOf = ({ personName, name, phone, userId }: Named) =>
  personName ?? name ?? `WhatsApp ${(phone ?? userId ?? '').slice(-4)}`.trim()

export const toConversation = (actor: Actor, found: Found, now: Date) => {
  const windowUntil = found.whatsappAt && new Date(found.whatsappAt.getTime() + freeTextMs)
  return {
    id: found.id,
    kind: found.kind,
    name: nameOf(found),
    team: found.team,
    state: found.state,
    assignee: found.assigneeId ? { id: found.assigneeId, name: found.assigneeName ?? '' } : null,
    mine: found.assigneeId === actor.accountId,
    waitingSince: found.waitingSince,
    dueAt: found.dueAt,
    lastSeq: found.lastSeq,
    unread: found.unread,
    accountId: found.accountId,
    leadId: found.leadId,
    phone: phoneFor(actor, found.phone ?? found.personPhone),
    language: found.language ?? ('id' as const),
    whatsapp: windowUntil && { windowUntil, open: windowUntil > now },
  }
}

/** Full phone numbers need permission to edit registrations. */
const phoneFor = ({ permissions }: Actor, phone: string | null) =>
  phone && !permissions.has('pendaftaran-edit') ? maskPhone(phone) : phone

/** Reads a conversation or room; 404 if the actor may not see it. */
export async function showConversation(db: Db, actor: Actor, id: string, now: Date) {
  const found = await select(db, actor).where('v.id', '=', id).executeTakeFirst()
  if (!found) throw notFound('conversation')
  return toConversation(actor, found, now)
}

export async function showRooms(db: Db, actor: Actor, now: Date) {
  const rooms = await select(db, actor).where('v.kind', '=', 'room').orderBy(sql`lower(v.name)`).execute()
  return rooms.map((room) => toConversation(actor, room, now))
}

/** Locks a conversation; 404 if the actor may not see it. */
export async function lockConversation(tx: Tx, actor: Actor, id: string): Promise<ConversationRow> {
  const found = await tx
    .selectFrom('conversations as v')
    .selectAll('v')
    .where('v.id', '=', id)
    .where(conversationsVisibleTo(actor))
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('conversation')
  return found
}

/** Finds a conversation without locking it; 404 if the actor may not see it. */
export async function findVisible(db: Db, actor: Actor, id: string): Promise<ConversationRow> {
  const found = await db
    .selectFrom('conversations as v')
    .selectAll('v')
    .where('v.id', '=', id)
    .where(conversationsVisibleTo(actor))
    .executeTakeFirst()
  if (!found) throw notFound('conversation')
  return found
}
