import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Closes the pending request of a registration that ends or enrols. The caller holds the registration's lock. */
export const closeRequest = (tx: Tx, actor: Actor, registrationId: string, now: Date) =>
  tx
    .updateTable('programmeRequests')
    .set({ status: 'closed', decidedAt: now, decidedBy: actor.accountId || null })
    .where('registrationId', '=', registrationId)
    .where('status', '=', 'pending')
    .execute()
