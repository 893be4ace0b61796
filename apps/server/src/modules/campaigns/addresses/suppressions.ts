import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { addressesVisibleTo } from './address-scope.ts'

/**
 * Lifts a suppression, so that campaigns may send to the address again. 404 for an address outside the actor's row
 * scope, 409 if `version` is stale or the suppression is already lifted.
 */
export const liftSuppression = ({ db, clock }: Services, actor: Actor, id: string, version: number) =>
  db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('suppressedAddresses as s')
      .select(['s.version', 's.channel', 's.reason', 's.liftedAt'])
      .where('s.id', '=', id)
      .where(addressesVisibleTo(actor, 's'))
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('suppression')
    if (before.version !== version) throw conflict('stale_version')
    if (before.liftedAt) throw conflict('wrong_status')
    await tx
      .updateTable('suppressedAddresses')
      .set((eb) => ({ liftedAt: clock.now(), liftedBy: actor.accountId, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    const { channel, reason } = before
    await recordAudit(tx, actor, { action: 'suppression.lift', on: { suppression: id }, before: { channel, reason } })
    return { id }
  })
