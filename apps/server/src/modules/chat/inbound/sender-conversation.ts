import { sql } from 'kysely'
import { appendHappening, type ConversationRow, recordEvent } from '#server/modules/chat/append-message.ts'
import { joinMarks } from '#server/modules/chat/marks.ts'
import { leadKeysOf, learnPhone, recordLead } from '#server/modules/leads/record-lead.ts'
import type { WhatsappUser } from '#server/modules/whatsapp/items/item.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import { lockProvenConversation } from './phone-link.ts'

type Sender = WhatsappUser & { name: string | null; sentAt: Date }

/**
 * Locks the conversation of a WhatsApp sender; creates it if there is none. A conversation without a lead gets one,
 * unless `lockProvenConversation` found the conversation.
 */
export async function lockConversationOfSender(tx: Tx, sender: Sender, words: string | null, now: Date) {
  const proven = await lockProvenConversation(tx, sender, words, now)
  if (proven) return proven
  const conversation = await lockUnproven(tx, sender, now)
  if (conversation.leadId) {
    await touchLead(tx, conversation.leadId, now)
    return conversation
  }
  const { name, phone, userId, sentAt } = sender
  const isPhoneOfOther = phone !== null && userId !== null && (await hasLeadOfOther(tx, phone, userId))
  const { leadId } = await recordLead(tx, {
    name: name ?? phone ?? `WhatsApp ${userId!.slice(-4)}`,
    phone: isPhoneOfOther ? null : phone,
    email: null,
    birthDate: null,
    schoolId: null,
    schoolName: null,
    major: null,
    programmeId: null,
    wish: words,
    origin: { kind: 'chat' },
    consent: { text: sentences('id')('chat:leadConsent'), language: 'id', at: sentAt < now ? sentAt : now },
    now,
  })
  if (isPhoneOfOther) await learnPhone(tx, leadId, phone, now)
  await tx.updateTable('conversations').set({ leadId }).where('id', '=', conversation.id).execute()
  return { ...conversation, leadId }
}

/**
 * Whether the lead with this number belongs to a conversation with another user id. If so, the number has a new owner.
 */
const hasLeadOfOther = async (tx: Tx, phone: string, userId: string) =>
  (await tx
    .selectFrom('leadKeys as k')
    .innerJoin('leads as l', (join) => join.on(sql<boolean>`(l.id = k.lead_id OR l.merged_into = k.lead_id)`))
    .innerJoin('conversations as v', 'v.leadId', 'l.id')
    .select('v.id')
    .where('k.key', 'in', leadKeysOf({ name: '', phone, birthDate: null }))
    .where('v.userId', '<>', userId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Locks the sender's conversation, or creates it. First takes the number from a conversation with another user id. Then
 * joins two conversations if one has the number and the other the user id.
 */
async function lockUnproven(tx: Tx, sender: Sender, now: Date): Promise<ConversationRow> {
  const { phone, userId } = sender
  let found = await lockAllOf(tx, sender, now)
  for (;;) {
    const former = found.find((row) => row.phone === phone && row.userId !== null && userId && row.userId !== userId)
    if (former) await takePhoneFrom(tx, former)
    else if (found.length > 0) break
    // Look again, because the number was just freed, or a concurrent message changed the conversations during the wait
    // for the lock.
    found = await lockAllOf(tx, sender, now)
  }
  const conversation = (phone && found.find((row) => row.phone === phone)) || found[0]!
  const other = found.find(({ id }) => id !== conversation.id)
  if (other) await join(tx, other, conversation, now)
  if (phone && conversation.phone === null && conversation.leadId) await learnPhone(tx, conversation.leadId, phone, now)
  const known = { phone: phone ?? conversation.phone, userId: userId ?? conversation.userId }
  if (known.phone !== conversation.phone || known.userId !== conversation.userId)
    await tx.updateTable('conversations').set(known).where('id', '=', conversation.id).execute()
  return Object.assign(conversation, known)
}

/** Locks the conversations with this number or user id; creates one if there is none. */
async function lockAllOf(tx: Tx, { phone, userId, name }: Sender, now: Date): Promise<ConversationRow[]> {
  await tx
    .insertInto('conversations')
    .values({ kind: 'person', phone, userId, name, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx
    .selectFrom('conversations')
    .selectAll()
    .where((eb) => eb.or([eb('phone', '=', phone), eb('userId', '=', userId)]))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Removes the number from the conversation of its former owner. Answers in that conversation now go to the former
 * owner's user id.
 */
const takePhoneFrom = (tx: Tx, { id, phone, userId, whatsappAddress }: ConversationRow) =>
  tx
    .updateTable('conversations')
    .set({ phone: null, ...(whatsappAddress === phone && { whatsappAddress: userId }) })
    .where('id', '=', id)
    .execute()

/**
 * Appends the messages of `from` to `into`, merges state and read marks, and deletes `from`. The caller holds both
 * locks.
 */
async function join(tx: Tx, from: ConversationRow, into: ConversationRow, now: Date) {
  await sql`UPDATE chat_messages m SET conversation_id = ${into.id}, seq = ${into.lastSeq} + moved.seq,
      public_seq = ${into.lastPublicSeq} + moved.public_seq
    FROM (SELECT id, seq, public_seq FROM chat_messages WHERE conversation_id = ${from.id}) moved
    WHERE m.id = moved.id`.execute(tx)
  await joinMarks(tx, from.id, into)
  await tx.deleteFrom('conversations').where('id', '=', from.id).execute()
  const keepsAgent = into.assigneeId !== null
  const joined = {
    lastSeq: into.lastSeq + from.lastSeq,
    lastPublicSeq: into.lastPublicSeq + from.lastPublicSeq,
    lastMessageAt: pick(into.lastMessageAt, from.lastMessageAt, Math.max),
    state: from.state === 'open' ? from.state : into.state,
    waitingSince: pick(into.waitingSince, from.waitingSince, Math.min),
    dueAt: pick(into.dueAt, from.dueAt, Math.min),
    assigneeId: keepsAgent ? into.assigneeId : from.assigneeId,
    assignedAt: keepsAgent ? into.assignedAt : from.assignedAt,
  }
  await tx.updateTable('conversations').set(joined).where('id', '=', into.id).execute()
  Object.assign(into, joined)
  await recordEvent(tx, { conversationId: from.id, kind: 'state' }, now)
  await appendHappening(tx, into, 'joined', { by: null }, now)
  if (from.leadId && into.phone) await learnPhone(tx, from.leadId, into.phone, now)
}

const pick = (one: Date | null, other: Date | null, choose: (...values: number[]) => number) =>
  one && other ? new Date(choose(one.getTime(), other.getTime())) : (one ?? other)

/** Marks the lead, or the lead it was merged into, as active, so that `forget-leads` keeps it. */
const touchLead = (tx: Tx, leadId: string, now: Date) =>
  sql`UPDATE leads SET touched_at = greatest(touched_at, ${now}::timestamptz)
    WHERE id IN (SELECT coalesce(merged_into, id) FROM leads WHERE id = ${leadId})`.execute(tx)
