import type { Selectable } from 'kysely'
import type { ApprovalKind } from '#domain/payments/approvals.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Database, Tx } from '#server/platform/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

export type ApprovalRequest = Selectable<Database['approvalRequests']>

type Wish = {
  kind: ApprovalKind
  /** Nothing for money nobody knows. */
  registrationId: string | null
  billId?: string | null
  paymentId?: string | null
  /** Whole rupiah, compared with what a role may decide about. */
  amount: number
  details?: Record<string, unknown>
  fileId?: string | null
  reason: string
}

/** Keeps a question for somebody else to decide; 409 while the same question is open about the same bill or payment. */
export async function askApproval(tx: Tx, services: Services, actor: Actor, wish: Wish): Promise<{ id: string }> {
  const { details = {}, billId = null, paymentId = null, fileId = null, ...rest } = wish
  const made = await tx
    .insertInto('approvalRequests')
    .values({
      ...rest,
      billId,
      paymentId,
      fileId,
      details: JSON.stringify(details),
      requestedBy: actor.accountId,
      requestedAt: services.clock.now(),
    })
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw conflict('already_requested')
  await recordAudit(tx, actor, 'approval.ask', { type: 'approval', id: made.id }, { after: wish, reason: wish.reason })
  return made
}
