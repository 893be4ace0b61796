import { type Giver, lockGiver } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Runs a change of accounts in a transaction that waits for every other access change; 403 without `permission`. `work`
 * gets the actor with the permissions read under the lock. Afterwards cached sessions are read again.
 */
export async function changeAccess<T>(
  { db, sessions }: Services,
  actor: Actor,
  permission: string,
  work: (tx: Tx, giver: Giver) => Promise<T>,
): Promise<T> {
  const result = await db.transaction().execute(async (tx) => work(tx, await lockGiver(tx, actor, permission)))
  sessions.forget()
  return result
}
