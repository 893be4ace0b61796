import { type Giver, lockGiver } from '#server/platform/access/administrators.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

/** Context of an access change: the actor has the permissions read under the lock. */
export type AccessContext = Context & { actor: Giver }

/**
 * Runs a change of accounts in a transaction that waits for every other access change; 403 without `permission`. `work`
 * gets the permissions and the time read under the lock. Afterwards cached sessions are read again.
 */
export async function changeAccess<T>(
  services: Services,
  actor: Actor,
  permission: string,
  work: (context: AccessContext) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(services, actor, async (context) => {
    const giver = await lockGiver(context.tx, actor, permission)
    return work({ ...context, actor: giver, now: services.clock.now() })
  })
  services.sessions.forget()
  return result
}
