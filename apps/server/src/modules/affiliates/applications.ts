import type { z } from 'zod'
import type { applyAsAffiliate } from '#domain/affiliates/endpoints.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { findOwnAffiliate } from './own-affiliate.ts'

/** Requests to become an affiliate; 409 for an affiliate and while a request is pending. */
export const apply = ({ db, clock }: Services, actor: Actor, body: z.output<typeof applyAsAffiliate.body>) =>
  db.transaction().execute(async (tx) => {
    if (await findOwnAffiliate(tx, actor)) throw conflict('affiliate_already')
    const phone = parsePhone(body.phone)
    if (!phone) throw invalid({ phone: 'phone_invalid' })
    const { kind, reason, biography } = body
    const added = await tx
      .insertInto('affiliateApplications')
      .values({
        accountId: actor.accountId,
        name: actor.name.slice(0, 120),
        kind,
        phone,
        reason,
        biography: biography || null,
        createdAt: clock.now(),
      })
      .onConflict((waiting) => waiting.column('accountId').where('status', '=', 'pending').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw conflict('affiliate_application_waits')
    await recordAudit(tx, actor, { action: 'affiliate.apply', on: { affiliate: added.id }, after: { kind } })
  })

async function lockPending(tx: Tx, actor: Actor, id: string) {
  const application = await tx
    .selectFrom('affiliateApplications')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!application) throw notFound('affiliate_application')
  if (application.status !== 'pending') throw conflict('wrong_status')
  if (application.accountId === actor.accountId) throw conflict('own_request')
  return application
}

/** Creates the affiliate with its account; 409 if the account got one meanwhile, 422 if the code is in use. */
export const approve = (services: Services, actor: Actor, id: string, code: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { accountId, name, kind, phone, biography } = await lockPending(tx, actor, id)
    const now = services.clock.now()
    const account = await tx
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const linked = await tx.selectFrom('affiliates').select('id').where('accountId', '=', accountId).executeTakeFirst()
    if (linked) throw conflict('affiliate_already')
    const affiliate = await tx
      .insertInto('affiliates')
      .values({
        code,
        name,
        kind,
        phone,
        biography,
        accountId,
        email: account.email,
        createdAt: now,
        updatedAt: now,
        createdBy: actor.accountId,
        updatedBy: actor.accountId,
      })
      .onConflict((same) => same.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!affiliate) throw invalid({ code: 'already_exists' })
    await tx
      .updateTable('affiliateApplications')
      .set({ status: 'approved', affiliateId: affiliate.id, decidedAt: now, decidedBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'affiliate.approve',
      on: { affiliate: affiliate.id },
      after: { code, name, kind, accountId },
    })
    await notify(context, { accountId, event: 'affiliate-approved', params: { code }, link: '/afiliator-saya' })
    return { id: affiliate.id }
  })

export const refuse = (services: Services, actor: Actor, id: string, reason: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { accountId } = await lockPending(tx, actor, id)
    await tx
      .updateTable('affiliateApplications')
      .set({ status: 'refused', note: reason, decidedAt: services.clock.now(), decidedBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'affiliate.refuse', on: { affiliate: id }, reason })
    await notify(context, { accountId, event: 'affiliate-refused', params: { reason }, link: '/afiliator-saya' })
    return { id }
  })
