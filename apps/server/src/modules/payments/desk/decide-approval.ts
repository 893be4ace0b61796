import {
  type ApprovalAction,
  type ApprovalKind,
  approvalTransitions,
  whyNotDecide,
} from '#domain/payments/approvals.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { registrationVisibleTo } from '../visible-bills.ts'
import { keepDeciderLimit } from './approval-limits.ts'
import type { ApprovalRequest } from './ask-approval.ts'
import { applyDueDate, applyException } from './bill-exceptions.ts'
import { bookManualPayment } from './manual-payment.ts'
import { applyPromise } from './promise.ts'
import { applyRefund } from './refunds.ts'
import { applyReversal } from './reversal.ts'
import { tellOfException } from './tell-of-exception.ts'

type Apply = (tx: Tx, services: Services, actor: Actor, request: ApprovalRequest) => Promise<void>

/** Exceptions about a bill are told to whoever pays it; money that comes or goes tells of itself. */
const told =
  (apply: Apply): Apply =>
  async (tx, services, actor, request) => {
    await apply(tx, services, actor, request)
    await tellOfException(tx, services, request.billId!)
  }

/** What happens once a request is approved, in the same transaction. */
const effects: Record<ApprovalKind, Apply> = {
  manual_payment: bookManualPayment,
  reversal: applyReversal,
  refund: applyRefund,
  waiver: told(applyException),
  discount: told(applyException),
  guarantee: told(applyException),
  due_date: told(applyDueDate),
  installment_plan: told(applyException),
  promise: told(applyPromise),
}

/** Up to how many rupiah a role decides about a kind: null for any sum, undefined for none. */
export async function limitOf(db: Db, actor: Actor, kind: ApprovalKind): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('approvalLimits')
    .select('most')
    .where('roleId', '=', actor.role.id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.most
}

/** A request the actor may see, its row kept until the end of the transaction; 404 otherwise. */
async function lockRequest(tx: Tx, actor: Actor, id: string): Promise<ApprovalRequest> {
  const request = await tx
    .selectFrom('approvalRequests as q')
    .leftJoin('registrations as r', 'r.id', 'q.registrationId')
    .selectAll('q')
    .where('q.id', '=', id)
    .where((eb) => registrationVisibleTo(actor, eb as never))
    .forUpdate('q')
    .executeTakeFirst()
  if (!request) throw notFound('approval')
  return request
}

/** Approves or rejects; whoever asked, or may not decide about such a sum, is refused. What follows happens at once or not at all. */
export async function decideApproval(
  services: Services,
  actor: Actor,
  id: string,
  { approve, reason }: { approve: boolean; reason?: string | undefined },
) {
  if (!approve && !reason) throw invalid({ reason: 'field_required' })
  return services.db.transaction().execute(async (tx) => {
    const request = await lockRequest(tx, actor, id)
    const limit = await limitOf(tx, actor, request.kind)
    const why = whyNotDecide(request, actor.accountId, limit)
    if (why === 'wrong_status') throw conflict('wrong_status', { status: request.status })
    if (why) throw new AppError(403, why)
    await finish(tx, services, actor, request, approve ? 'approve' : 'reject', reason)
    await keepDeciderLimit(tx, id, limit)
    if (approve) await effects[request.kind](tx, services, actor, request)
    return { id }
  })
}

/** Takes back an own request nobody has decided about. */
export async function withdrawApproval(services: Services, actor: Actor, id: string) {
  return services.db.transaction().execute(async (tx) => {
    const request = await lockRequest(tx, actor, id)
    if (request.requestedBy !== actor.accountId) throw new AppError(403, 'not_own_request')
    if (request.status !== 'pending') throw conflict('wrong_status', { status: request.status })
    await finish(tx, services, actor, request, 'withdraw')
    return { id }
  })
}

async function finish(
  tx: Tx,
  services: Services,
  actor: Actor,
  { id, kind, amount }: ApprovalRequest,
  action: ApprovalAction,
  reason?: string,
) {
  await tx
    .updateTable('approvalRequests')
    .set({
      status: approvalTransitions[action].to,
      decidedBy: actor.accountId,
      decidedAt: services.clock.now(),
      decisionReason: reason || null,
    })
    .where('id', '=', id)
    .execute()
  await recordAudit(
    tx,
    actor,
    `approval.${action}`,
    { type: 'approval', id },
    { after: { kind, amount }, ...(reason && { reason }) },
  )
}
