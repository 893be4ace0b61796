import { type Giver, lockGiver } from '#server/platform/administrators.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Runs a change of somebody's account one after the other with all other changes of access, by what the actor may do
 * at that moment. What the servers keep in memory about anybody is asked for anew afterwards.
 */
export async function changing<T>(
  { db, sessions }: Services,
  actor: Actor,
  permission: string,
  work: (tx: Tx, giver: Giver) => Promise<T>,
): Promise<T> {
  const done = await db.transaction().execute(async (tx) => work(tx, await lockGiver(tx, actor, permission)))
  sessions.forget()
  return done
}
