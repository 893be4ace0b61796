import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { settleRegistration } from './settle/settle-registration.ts'

type Decision = { decision: 'release' | 'take_back'; reason: string }

/** Releases held commission, or takes back what the registration earned; refuses the owner of the affiliate. */
export const decideHold = ({ db, clock }: Services, actor: Actor, id: string, { decision, reason }: Decision) =>
  db.transaction().execute(async (tx) => {
    const hold = await tx
      .selectFrom('commissionHolds as h')
      .innerJoin('affiliates as f', 'f.id', 'h.affiliateId')
      .select(['h.registrationId', 'h.affiliateId', 'h.decision', 'h.reason', 'f.accountId'])
      .where('h.id', '=', id)
      .forUpdate('h')
      .executeTakeFirst()
    if (!hold) throw notFound('commission_hold')
    if (hold.decision) throw conflict('wrong_status')
    if (hold.accountId === actor.accountId) throw conflict('own_request')
    const now = clock.now()
    await tx
      .updateTable('commissionHolds')
      .set({ decision, decidedAt: now, decidedBy: actor.accountId, note: reason })
      .where('id', '=', id)
      .execute()
    const { registrationId, affiliateId } = hold
    await recordAudit(tx, actor, {
      action: `affiliate.${decision}`,
      on: { affiliate: affiliateId },
      after: { registrationId, alarm: hold.reason },
      reason,
    })
    await settleRegistration(tx, registrationId, now)
    return { id }
  })
