import { sql } from 'kysely'
import type { ChatTeam } from '#domain/chat/chat.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { assign } from './assign.ts'

type Agent = { id: string; name: string; teams: ChatTeam[]; onDuty: boolean; open: number }

/** Lists up to 200 accounts: the actor first, then agents on duty, then agents off duty. */
export async function showAgents(db: Db, actor: Actor): Promise<Agent[]> {
  const { rows } = await sql<Agent>`
    SELECT a.id, a.name, coalesce(g.teams, '{admissions,finance}') AS teams, coalesce(g.on_duty, true) AS on_duty,
      (SELECT count(*)::int FROM conversations v WHERE v.assignee_id = a.id AND v.state = 'open') AS open
    FROM accounts a LEFT JOIN chat_agents g ON g.account_id = a.id
    WHERE a.active AND a.id = ANY(ARRAY(SELECT account_id FROM chat_agents UNION SELECT ${actor.accountId}::uuid))
      AND EXISTS (SELECT FROM role_permissions p WHERE p.role_id = a.role_id AND p.permission = 'private-chat')
    ORDER BY a.id <> ${actor.accountId}, coalesce(g.on_duty, true) DESC, lower(a.name) LIMIT 200`.execute(db)
  return rows
}

/** Counts conversations visible to the actor that wait for an answer and have no agent. */
export async function countWaiting(db: Db, actor: Actor): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM conversations v
    WHERE v.waiting_since IS NOT NULL AND v.assignee_id IS NULL AND ${conversationsVisibleTo(actor)}`.execute(db)
  return theOnly(rows).count
}

/**
 * Saves the actor's teams and whether the actor is on duty. Going off duty returns the actor's waiting conversations to
 * the queue.
 */
export async function saveDuty(
  { db, clock }: Services,
  actor: Actor,
  { teams, onDuty }: { teams: ChatTeam[]; onDuty: boolean },
): Promise<Agent> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('chatAgents')
      .values({ accountId: actor.accountId, teams, onDuty, updatedAt: now })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ teams, onDuty, updatedAt: now }))
      .execute()
    await recordAudit(tx, actor, { action: 'chat.duty', on: { account: actor.accountId }, after: { teams, onDuty } })
    if (!onDuty) await returnWaitingOf(tx, actor, now)
  })
  return (await showAgents(db, actor))[0]!
}

async function returnWaitingOf(tx: Tx, actor: Actor, now: Date) {
  // Also locks conversations in which nobody waits, because a message being stored now may start a wait.
  const conversations = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('assigneeId', '=', actor.accountId)
    .where('state', '=', 'open')
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const conversation of conversations.filter(({ waitingSince }) => waitingSince !== null))
    await assign({ tx, actor, now }, conversation, { assigneeId: null }, { happening: 'returned', detail: actor.name })
}
