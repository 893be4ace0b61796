import { sql } from 'kysely'
import type { z } from 'zod'
import type { createCommissionRule } from '#domain/affiliates/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import { basisPointsOf } from '#domain/rounding.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type NewRule = z.output<typeof createCommissionRule.body>

/** Writes the next version of a rule, for another account to approve; 409 while one is pending. */
export const createRule = ({ db, clock }: Services, actor: Actor, { percent, ...rule }: NewRule) =>
  db.transaction().execute(async (tx) => {
    if (rule.affiliateId) {
      const affiliate = await tx
        .selectFrom('affiliates')
        .select('id')
        .where('id', '=', rule.affiliateId)
        .executeTakeFirst()
      if (!affiliate) throw notFound('affiliate')
    }
    const shareBps = percent === null ? null : basisPointsOf(percent)
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`commission-rule ${rule.affiliateId ?? rule.kind} ${rule.stage}`}))`.execute(
      tx,
    )
    const { rows: earlier } = await sql<{ version: number; pending: boolean }>`
      SELECT coalesce(max(version), 0) AS version, coalesce(bool_or(approved_at IS NULL AND refused_at IS NULL), false) AS pending
      FROM commission_rules WHERE stage = ${rule.stage}
        AND affiliate_id IS NOT DISTINCT FROM ${rule.affiliateId}::uuid AND kind IS NOT DISTINCT FROM ${rule.kind}`.execute(
      tx,
    )
    const { version, pending } = theOnly(earlier)
    if (pending) throw conflict('commission_rule_pending')
    const { id } = await tx
      .insertInto('commissionRules')
      .values({ ...rule, shareBps, version: version + 1, createdAt: clock.now(), createdBy: actor.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { reason, ...after } = { ...rule, shareBps }
    await recordAudit(tx, actor, { action: 'commission.rule', on: { commission: id }, after, reason })
    return { id }
  })

/** Puts a rule in force or refuses it for good; 409 for the account that wrote it and for the affiliate it pays. */
export const decideRule = ({ db, clock }: Services, actor: Actor, id: string, decision: 'approve' | 'refuse') =>
  db.transaction().execute(async (tx) => {
    const rule = await tx
      .selectFrom('commissionRules as c')
      .leftJoin('affiliates as f', 'f.id', 'c.affiliateId')
      .selectAll('c')
      .select('f.accountId as payee')
      .where('c.id', '=', id)
      .forUpdate('c')
      .executeTakeFirst()
    if (!rule) throw notFound('commission_rule')
    if (rule.approvedAt || rule.refusedAt) throw conflict('wrong_status')
    if ([rule.createdBy, rule.payee].includes(actor.accountId)) throw conflict('own_request')
    const now = clock.now()
    await tx
      .updateTable('commissionRules')
      .set(decision === 'approve' ? { approvedAt: now, approvedBy: actor.accountId } : { refusedAt: now })
      .where('id', '=', id)
      .execute()
    const { stage, amount, shareBps, version } = rule
    await recordAudit(tx, actor, {
      action: `commission.${decision}`,
      on: { commission: id },
      after: { stage, amount, shareBps, version },
    })
    return { id }
  })
