import { sql } from 'kysely'
import { type ChatHappening, type ChatTeam, chatTeams } from '#domain/chat/chat.ts'
import {
  appendHappening,
  appendMessage,
  type ConversationRow,
  clockFrom,
  isHandedOverAfter,
  recordEvent,
} from '#server/modules/chat/append-message.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo, isOffice } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { lockConversation, showConversation } from './conversation.ts'

type Assignment = { assigneeId: string | null; team?: ChatTeam }

/**
 * Assigns a conversation to an agent, or to a queue if `assigneeId` is null. The caller holds the conversation's lock.
 */
export async function assign(
  context: Omit<Context, 'services'>,
  conversation: ConversationRow,
  assignment: Assignment,
  { happening, detail, toTeam }: { happening: ChatHappening; detail: string | null; toTeam?: ChatTeam },
) {
  const { tx, actor, now } = context
  await setAssignee(context, conversation, assignment, happening)
  await appendHappening(tx, conversation, happening, { by: actor.accountId || null, detail, team: toTeam }, now)
}

/**
 * Assigns a free conversation to the actor who answers. Does nothing if the actor is off duty, or if staff handed the
 * conversation over after message `seenSeq`, the last one that the actor had seen.
 */
export async function takeIfFree(
  context: Omit<Context, 'services'>,
  conversation: ConversationRow,
  seenSeq: number | undefined,
) {
  const { tx, actor } = context
  if (conversation.kind !== 'person' || conversation.assigneeId) return
  if (seenSeq !== undefined && (await isHandedOverAfter(tx, conversation.id, seenSeq))) return
  const agent = await tx
    .selectFrom('chatAgents')
    .select('onDuty')
    .where('accountId', '=', actor.accountId)
    .executeTakeFirst()
  if (agent && !agent.onDuty) return
  await setAssignee(context, conversation, { assigneeId: actor.accountId }, 'taken')
}

async function setAssignee(
  context: Omit<Context, 'services'>,
  conversation: ConversationRow,
  { assigneeId, team = conversation.team }: Assignment,
  happening: ChatHappening,
) {
  const { tx, actor, now } = context
  const { id, assigneeId: before } = conversation
  if (assigneeId === actor.accountId) await putOnDuty(context)
  await tx
    .updateTable('conversations')
    .set({ assigneeId, assignedAt: assigneeId ? now : null, team })
    .where('id', '=', id)
    .execute()
  await recordEvent(tx, { conversationId: id, kind: 'state' }, now)
  await recordAudit(tx, actor, {
    action: `chat.${happening}`,
    on: { chat: id },
    before: { assigneeId: before, team: conversation.team },
    after: { assigneeId, team },
  })
}

/** Makes the actor an agent on duty for all teams, unless the actor already is an agent. */
const putOnDuty = ({ tx, actor, now }: Omit<Context, 'services'>) =>
  tx
    .insertInto('chatAgents')
    .values({ accountId: actor.accountId, teams: [...chatTeams], onDuty: true, updatedAt: now })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()

/**
 * Assigns a free conversation to the actor: the longest-waiting one of the actor's teams that the actor may see. Skips
 * locked conversations. Null if none is found; 409 if the actor is off duty.
 */
export async function takeNext({ db, clock }: Services, actor: Actor) {
  const now = clock.now()
  const id = await db.transaction().execute(async (tx) => {
    // Lock the agent before the conversation, as `saveDuty` does. If the agent goes off duty now, `saveDuty` then
    // returns this conversation too.
    await putOnDuty({ tx, actor, now })
    const { teams, onDuty } = await tx
      .selectFrom('chatAgents')
      .select(['teams', 'onDuty'])
      .where('accountId', '=', actor.accountId)
      .forShare()
      .executeTakeFirstOrThrow()
    if (!onDuty) throw conflict('chat_off_duty')
    const conversation = await tx
      .selectFrom('conversations as v')
      .selectAll('v')
      .where('v.waitingSince', 'is not', null)
      .where('v.assigneeId', 'is', null)
      .where(sql<boolean>`v.team = ANY(${teams}::text[])`)
      .where(conversationsVisibleTo(actor))
      .orderBy('v.waitingSince')
      .orderBy('v.id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!conversation) return null
    await assign(
      { tx, actor, now },
      conversation,
      { assigneeId: actor.accountId },
      { happening: 'taken', detail: null },
    )
    return conversation.id
  })
  return id === null ? null : showConversation(db, actor, id, now)
}

/** Assigns a conversation to the actor. 409 for a room, or if a colleague has the conversation. */
export async function takeConversation({ db, clock }: Services, actor: Actor, id: string) {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const conversation = await lockPerson(tx, actor, id)
    if (conversation.assigneeId === actor.accountId) return
    if (conversation.assigneeId) throw conflict('chat_taken')
    await assign(
      { tx, actor, now },
      conversation,
      { assigneeId: actor.accountId },
      { happening: 'taken', detail: null },
    )
  })
  return showConversation(db, actor, id, now)
}

async function lockPerson(tx: Tx, actor: Actor, id: string) {
  const conversation = await lockConversation(tx, actor, id)
  if (conversation.kind !== 'person') throw conflict('wrong_status')
  return conversation
}

/**
 * Reads the colleague of a handover. 422 unless the colleague is an agent on duty who may answer chats and see the
 * conversation.
 */
async function getColleague(tx: Tx, accountId: string, conversationId: string, now: Date) {
  const agent = await tx
    .selectFrom('chatAgents')
    .select('accountId')
    .where('accountId', '=', accountId)
    .where('onDuty', '=', true)
    .executeTakeFirst()
  const colleague = agent && (await findActorOf(tx, accountId, now))
  if (!colleague || !isOffice(colleague)) throw invalid({ assigneeId: 'chat_colleague_off' })
  const visible = await tx
    .selectFrom('conversations as v')
    .select('v.id')
    .where('v.id', '=', conversationId)
    .where(conversationsVisibleTo(colleague))
    .executeTakeFirst()
  if (!visible) throw invalid({ assigneeId: 'chat_colleague_without_access' })
  return colleague
}

/**
 * Hands a conversation to a colleague or to a team's queue. 409 for a room or a closed conversation. Also 409 for
 * another agent's conversation, unless the actor may edit roles.
 */
export async function handOver(
  { db, clock }: Services,
  actor: Actor,
  id: string,
  { team, assigneeId, note }: { team: ChatTeam; assigneeId: string | null; note: string },
) {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    // Lock the colleague before the conversation, as `saveDuty` does. If the colleague goes off duty now, `saveDuty`
    // then returns this conversation.
    if (assigneeId) await sql`SELECT FROM chat_agents WHERE account_id = ${assigneeId} FOR SHARE`.execute(tx)
    const conversation = await lockPerson(tx, actor, id)
    if (conversation.state === 'closed') throw conflict('wrong_status')
    if (
      conversation.assigneeId &&
      conversation.assigneeId !== actor.accountId &&
      !actor.permissions.has('settings-roles-update')
    )
      throw conflict('chat_taken')
    const isThere = conversation.assigneeId === assigneeId && (assigneeId !== null || conversation.team === team)
    if (isThere && conversation.waitingSince && !note) return
    const colleague = assigneeId ? await getColleague(tx, assigneeId, id, now) : null
    if (note)
      await appendMessage(
        tx,
        conversation,
        { id: crypto.randomUUID(), author: 'staff', authorId: actor.accountId, kind: 'note', body: note },
        now,
      )
    // A handover starts the answer clock even if nobody waits, because the new agent or team still has to answer.
    if (!conversation.waitingSince) {
      const waiting = await clockFrom(tx, now)
      await tx.updateTable('conversations').set(waiting).where('id', '=', id).execute()
      Object.assign(conversation, waiting)
    }
    const change = colleague
      ? ({ happening: 'handed_over', detail: colleague.name } as const)
      : ({ happening: 'returned', detail: null, toTeam: team } as const)
    await assign({ tx, actor, now }, conversation, { assigneeId, team }, change)
  })
  return showConversation(db, actor, id, now)
}

/**
 * Closes an open conversation. 409 for a room, or if the applicant wrote or staff handed the conversation over after
 * message `seenSeq`.
 */
export async function close({ db, clock }: Services, actor: Actor, id: string, seenSeq: number) {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const conversation = await lockPerson(tx, actor, id)
    if (conversation.state === 'closed') return
    const unseen = await tx
      .selectFrom('chatMessages')
      .select('seq')
      .where('conversationId', '=', id)
      .where('seq', '>', seenSeq)
      .where('author', '=', 'person')
      .executeTakeFirst()
    if (unseen || (await isHandedOverAfter(tx, id, seenSeq))) throw conflict('chat_answered_meanwhile')
    await tx
      .updateTable('conversations')
      .set({ state: 'closed', waitingSince: null, dueAt: null })
      .where('id', '=', id)
      .execute()
    await appendHappening(tx, conversation, 'closed', { by: actor.accountId }, now)
    await recordEvent(tx, { conversationId: id, kind: 'state' }, now)
    await recordAudit(tx, actor, { action: 'chat.closed', on: { chat: id } })
  })
  return showConversation(db, actor, id, now)
}
