import { sql } from 'kysely'
import type { LineRelease } from '#domain/payments/reconciliation/endpoints.ts'
import { lockAccount, type OwnAccount } from '#server/modules/payments/reconciliation/account-queue.ts'
import { reconcileSoon } from '#server/modules/payments/reconciliation/reconcile-soon.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { matchNewLines } from './match-lines.ts'

/** Decides whether a held line is a transfer of its own or repeats a stored line in other words. */
export const releaseLine = (services: Services, actor: Actor, id: string, answer: LineRelease) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const seen = await tx.selectFrom('statementLines').select('bankAccountId').where('id', '=', id).executeTakeFirst()
    if (!seen) throw notFound('statement line')
    const account = await lockAccount(services, tx, seen.bankAccountId)
    const line = await tx.selectFrom('statementLines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (line.state !== 'held') {
      const again = answer.both ? line.state === 'new' && line.releaseReason : line.state === 'same' && line.reason
      if (again === answer.reason) return { id }
      throw conflict('line_settled')
    }
    await release(context, [id], answer)
    await recordAudit(tx, actor, {
      action: answer.both ? 'statement-line.release' : 'statement-line.same',
      on: { 'statement-line': id },
      after: { amountSen: line.amountSen, similarTo: line.similarTo },
      reason: answer.reason,
    })
    await compare(context, account, line.day, line.day)
    return { id }
  })

/** Decides the same for all held lines of a file. */
export const releaseLines = (services: Services, actor: Actor, importId: string, answer: LineRelease) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const seen = await tx
      .selectFrom('statementImports')
      .select('bankAccountId')
      .where('id', '=', importId)
      .executeTakeFirst()
    if (!seen) throw notFound('statement')
    const account = await lockAccount(services, tx, seen.bankAccountId)
    const held = await tx
      .selectFrom('statementLines')
      .select(['id', 'day'])
      .where('importId', '=', importId)
      .where('state', '=', 'held')
      .orderBy('day')
      .execute()
    const [first] = held
    if (!first) return { count: 0 }
    const ids = held.map(({ id }) => id)
    await release(context, ids, answer)
    await recordAudit(tx, actor, {
      action: answer.both ? 'statement.release' : 'statement.same',
      on: { statement: importId },
      after: { lines: ids.length },
      reason: answer.reason,
    })
    await compare(context, account, first.day, held.at(-1)!.day)
    return { count: ids.length }
  })

const release = ({ tx, services, actor }: Context, ids: readonly string[], { both, reason }: LineRelease) => {
  const now = services.clock.now()
  const said = both
    ? { state: 'new' as const, releasedBy: actor.accountId, releasedAt: now, releaseReason: reason }
    : { state: 'same' as const, settledBy: actor.accountId, settledAt: now, reason }
  return tx
    .updateTable('statementLines')
    .set(said)
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    .where('state', '=', 'held')
    .execute()
}

async function compare(context: Omit<Context, 'actor'>, account: OwnAccount, from: string, to: string) {
  await matchNewLines(context, account, { from, to })
  await reconcileSoon(context, account, { from, to })
}
