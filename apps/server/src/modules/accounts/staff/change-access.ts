import { type Giver, lockGiver } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Runs a change of an account in a transaction that waits for all other changes of access. `work` gets the actor with the
 * permissions of that moment; 403 without `permission`. Sessions kept in memory are read anew afterwards.
 */
export async function changeAccess<T>(
  { db, sessions }: Services,
  actor: Actor,
  permission: string,
  work: (tx: Tx, giver: Giver) => Promise<T>,
): Promise<T> {
  const done = await db.transaction().execute(async (tx) => work(tx, await lockGiver(tx, actor, permission)))
  sessions.forget()
  return done
}
