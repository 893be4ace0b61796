import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { lockAccount } from './account-queue.ts'
import { explainLine } from './lines/settle-lines.ts'
import { countDifferences } from './reconcile-day.ts'

/**
 * Settles a difference with a reason. A difference that consists only of an open statement line is settled by
 * explaining the line.
 */
export async function settleDifference(services: Services, actor: Actor, id: string, reason: string) {
  const seen = await services.db
    .selectFrom('reconciliationDifferences as x')
    .innerJoin('reconciliationDays as d', 'd.id', 'x.reconciliationDayId')
    .select(['d.bankAccountId', 'x.statementLineId', 'x.paymentId', 'x.settledAt'])
    .where('x.id', '=', id)
    .executeTakeFirst()
  if (!seen) throw notFound('difference')
  if (seen.statementLineId && !seen.paymentId && !seen.settledAt) {
    await explainLine(services, actor, seen.statementLineId, { explanation: 'other', reason })
    return { id }
  }
  return services.db.transaction().execute(async (tx) => {
    await lockAccount(services, tx, seen.bankAccountId)
    const before = await tx
      .selectFrom('reconciliationDifferences')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (before.settledAt) {
      if (before.settledHow === 'reason' && before.settledBy === actor.accountId && before.reason === reason)
        return { id }
      throw conflict('difference_settled')
    }
    await tx
      .updateTable('reconciliationDifferences')
      .set({ settledAt: services.clock.now(), settledBy: actor.accountId, settledHow: 'reason', reason })
      .where('id', '=', id)
      .execute()
    await countDifferences(tx, before.reconciliationDayId)
    const { kind, label, ledgerAmount, reportedAmount, statementAmountSen } = before
    await recordAudit(tx, actor, {
      action: 'reconciliation.settle',
      on: { reconciliation: before.reconciliationDayId },
      after: { kind, label, ledgerAmount, reportedAmount, statementAmountSen },
      reason,
    })
    return { id }
  })
}
