import {
  type ApprovalAction,
  type ApprovalKind,
  type ApprovalLimit,
  approvalTransitions,
  whyNotDecide,
} from '#domain/payments/approvals/approvals.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, forbidden, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { readAskers } from './approval-askers.ts'
import { approvedBefore } from './approved-before.ts'
import { type ApprovalHandlers, type ApprovalRequest, askApproval, questionOf } from './ask-approval.ts'
import { currentEffect, followBill, isSameEffect } from './current-effect.ts'

/** Highest rupiah the actor's role may decide for a kind: null without limit, undefined if the role decides none. */
export async function limitOf(db: Db, actor: Actor, kind: ApprovalKind): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('approvalLimits')
    .select('most')
    .where('roleId', '=', actor.role.id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.most
}

/** A request the actor may see, else 404; `lock` holds its row until the transaction ends. */
export async function getRequest(tx: Tx, actor: Actor, id: string, { lock = false } = {}): Promise<ApprovalRequest> {
  const request = await tx
    .selectFrom('approvalRequests as q')
    .leftJoin('registrations as r', 'r.id', 'q.registrationId')
    .selectAll('q')
    .where('q.id', '=', id)
    .where(visibleTo(actor))
    .$if(lock, (q) => q.forUpdate('q'))
    .executeTakeFirst()
  if (!request) throw notFound('approval')
  return request
}

/** Runs after the registration is locked, so that two requests approved at once both count. */
async function readApprovedBefore(tx: Tx, id: string) {
  const { sum } = await tx
    .selectFrom('approvalRequests as q')
    .select(approvedBefore.as('sum'))
    .where('q.id', '=', id)
    .executeTakeFirstOrThrow()
  return sum
}

/**
 * Approves or rejects a request. 403 for the accounts that asked and for roles without the limit; 409 `effect_changed`
 * with the stored and the current effect if they differ. An approval is carried out in the same transaction.
 */
export async function decideApproval(
  services: Services,
  handlers: ApprovalHandlers,
  actor: Actor,
  id: string,
  { approve, reason }: { approve: boolean; reason?: string | undefined },
) {
  const { kind } = await inTransaction(services, actor, async (context) => {
    const { tx } = context
    const seen = await getRequest(tx, actor, id)
    const handler = handlers[seen.kind]
    if (approve) await handler.lock(tx, seen)
    const request = await getRequest(tx, actor, id, { lock: true })
    const limit = await limitOf(tx, actor, request.kind)
    const why = whyNotDecide(
      {
        ...request,
        approvedBefore: await readApprovedBefore(tx, id),
        ...(await readAskers(tx, id)),
      },
      actor.accountId,
      limit,
    )
    if (why === 'wrong_status') throw conflict('wrong_status', { status: request.status })
    if (why) throw new AppError(403, why)
    if (approve) {
      await handler.guard?.(tx, actor, request)
      const current = await currentEffect(context, handler, request)
      if (!isSameEffect(request.effect, current))
        throw new AppError(409, 'effect_changed', {}, undefined, { stored: request.effect, current })
    }
    await finish(context, request, approve ? 'approve' : 'reject', { reason, limit })
    if (approve) await handler.apply(context, request)
    return request
  })
  if (approve) handlers[kind].committed?.(services)
  return { id }
}

/** Withdraws an undecided request of the actor. */
export async function withdrawApproval(services: Services, actor: Actor, id: string) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const request = await getRequest(tx, actor, id, { lock: true })
    if (request.requestedBy !== actor.accountId) throw new AppError(403, 'not_own_request')
    if (request.status !== 'pending') throw conflict('wrong_status', { status: request.status })
    await finish(context, request, 'withdraw')
    return { id }
  })
}

/**
 * Requests the same again for the current bill with the current effect, and ends the pending request. The new asker
 * joins the earlier askers, so a different account still has to decide.
 */
export async function renewApproval(services: Services, handlers: ApprovalHandlers, actor: Actor, id: string) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const seen = await getRequest(tx, actor, id)
    const handler = handlers[seen.kind]
    if (!actor.permissions.has(handler.permission)) throw forbidden(handler.permission)
    await handler.lock(tx, seen)
    const request = await getRequest(tx, actor, id, { lock: true })
    if (request.status !== 'pending') throw conflict('wrong_status', { status: request.status })
    const current = await currentEffect(context, handler, request)
    if (isSameEffect(request.effect, current)) throw conflict('effect_unchanged')
    await finish(context, request, 'renew')
    return askApproval(context, handler, await followBill(tx, questionOf(request)), id)
  })
}

type Decision = {
  reason?: string | undefined
  /**
   * Limit of the deciding role at the moment of the decision. Limits change later; a check of the books compares with
   * this one.
   */
  limit?: ApprovalLimit
}

/**
 * Ends a request with a single UPDATE. A second UPDATE of the same row would check its foreign keys again and wait for
 * bills and payments, whose locks come before the lock of the request.
 */
async function finish(
  { tx, services, actor }: Context,
  { id, kind, amount }: ApprovalRequest,
  action: ApprovalAction,
  { reason, limit }: Decision = {},
) {
  const now = services.clock.now()
  await tx
    .updateTable('approvalRequests')
    .set({
      status: approvalTransitions[action].to,
      decidedBy: actor.accountId,
      decidedAt: now,
      decisionReason: reason || null,
      ...(limit !== undefined && { deciderLimit: limit, deciderLimitKnown: true }),
    })
    .where('id', '=', id)
    .execute()
  // The audit log records a renewal with the new request.
  if (action === 'renew') return
  await recordAudit(tx, actor, { action: `approval.${action}`, on: { approval: id }, after: { kind, amount }, reason })
}
