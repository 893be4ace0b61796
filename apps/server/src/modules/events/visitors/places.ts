import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import type { Context } from '#server/platform/use-case.ts'
import { tellVisitors } from './tell-visitors.ts'

/* Lock order: event, sessions by id, visitors by id. Sessions use FOR NO KEY UPDATE, since inserting a visitor holds a
   key lock on the session. */

/**
 * Takes a place if one is free; of parallel requests for the last place, one succeeds. Locks the session first: the
 * update alone would not wait for a place being given back, and nobody would pass that place on.
 */
export async function takePlace(tx: Tx, sessionId: string): Promise<boolean> {
  await lockSessions(tx, [sessionId])
  const { rows } = await sql`UPDATE event_sessions SET taken = taken + 1
    WHERE id = ${sessionId} AND taken < capacity RETURNING id`.execute(tx)
  return rows.length === 1
}

export const lockSessions = (tx: Tx, sessionIds: readonly string[]) =>
  tx
    .selectFrom('eventSessions')
    .selectAll()
    .where('id', 'in', [...new Set(sessionIds)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Gives a place back and passes it on. */
export async function givePlaceBack(context: Omit<Context, 'actor'>, sessionId: string) {
  const { tx } = context
  await sql`UPDATE event_sessions SET taken = taken - 1 WHERE id = ${sessionId}`.execute(tx)
  await passOnPlaces(context, sessionId)
}

/** Gives free places to the visitors waiting longest and notifies them; does nothing once the session has begun. */
export async function passOnPlaces(context: Omit<Context, 'actor'>, sessionId: string) {
  const { tx, services } = context
  const [session] = await lockSessions(tx, [sessionId])
  if (!session || session.startsAt <= services.clock.now()) return
  const free = session.capacity - session.taken
  if (free <= 0) return
  const { rows } = await sql<{ id: string }>`
    UPDATE event_visitors SET state = 'registered' WHERE id IN (
      SELECT id FROM event_visitors WHERE session_id = ${sessionId} AND state = 'waiting'
      ORDER BY created_at, id LIMIT ${free} FOR UPDATE)
    RETURNING id`.execute(tx)
  if (rows.length === 0) return
  await sql`UPDATE event_sessions SET taken = taken + ${rows.length} WHERE id = ${sessionId}`.execute(tx)
  await tellVisitors(
    context,
    'event-place-free',
    rows.map(({ id }) => id),
  )
}

type Held = { id: string; sessionId: string; state: string; extra: boolean }

/** Cancels a visitor in the caller's transaction, which holds the locks of session and visitor. */
export async function cancelVisitor(context: Omit<Context, 'actor'>, visitor: Held) {
  const { tx, services } = context
  const now = services.clock.now()
  if (visitor.state === 'cancelled') return
  await tx
    .updateTable('eventVisitors')
    .set({ state: 'cancelled', cancelledAt: now })
    .where('id', '=', visitor.id)
    .execute()
  if (visitor.state === 'registered' && !visitor.extra) await givePlaceBack(context, visitor.sessionId)
}
